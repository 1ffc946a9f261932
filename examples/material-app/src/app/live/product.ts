import { CurrencyPipe } from '@angular/common';
import { httpResource } from '@angular/common/http';
import { Component, computed, inject, input, type OnInit, resource } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatProgressBar } from '@angular/material/progress-bar';
import { RouterLink } from '@angular/router';
import type { Review, Stock } from '../../api/shop';
import { Catalogue } from '../data/catalogue';
import { PageResponse } from '../server/page-response';
import { BasketStore } from '../shared/basket-store';
import { FiringNote } from '../shared/firing-note';
import { Notice } from '../shared/notice';
import { Vessel } from '../shared/vessel';
import type { Found } from './routes';

/** A piece as the shop's API has it now: three calls, in the three ways that Angular's users make them. */
@Component({
  selector: 'app-live-product',
  imports: [CurrencyPipe, FiringNote, MatButton, MatProgressBar, Notice, RouterLink, Vessel],
  host: { '[style.--glaze]': 'glaze()?.color' },
  template: `
    @if (piece(); as piece) {
      <div class="page">
        <nav class="crumbs" aria-label="Breadcrumb">
          <a routerLink="/catalog">Shop</a>
          <span aria-hidden="true">/</span>
          <span>{{ piece.category }}</span>
        </nav>
        <article>
          <div class="stage"><app-vessel [product]="piece" /></div>
          <div>
            <h1>{{ piece.name }}</h1>
            <p class="lead">{{ piece.summary }}</p>
            <p class="price">{{ piece.price | currency: 'EUR' }}</p>
            <div class="buy">
              <button matButton="filled" type="button" (click)="basket.add(piece.id)">
                Add to basket
              </button>
              <p class="stock" role="status">
                @if (stock.hasValue()) {
                  @let shelf = stock.value();
                  {{ shelf.onShelf }} on the shelf
                  @if (shelf.inKiln) {
                    and {{ shelf.inKiln }} in the kiln
                  }
                } @else if (stock.error()) {
                  We cannot see the shelf right now. Order, and we write if it is empty.
                } @else {
                  Counting what is on the shelf…
                }
              </p>
            </div>
            <section aria-labelledby="letters">
              <h2 id="letters">Letters to the studio</h2>
              @if (reviews.hasValue()) {
                <ul>
                  @for (review of reviews.value(); track review.author) {
                    <li>
                      <p class="stars" role="img" [attr.aria-label]="review.stars + ' of 5 stars'">
                        {{ '★'.repeat(review.stars) }}<i>{{ '★'.repeat(5 - review.stars) }}</i>
                      </p>
                      <blockquote>{{ review.text }}</blockquote>
                      <cite>{{ review.author }}</cite>
                    </li>
                  }
                </ul>
              } @else if (reviews.error()) {
                <p class="quiet">
                  The letters are somewhere in the studio. Please look again later.
                </p>
              } @else {
                <mat-progress-bar mode="indeterminate" aria-label="Fetching letters" />
              }
            </section>
            <app-firing-note [page]="'live-' + piece.id" />
          </div>
        </article>
      </div>
    } @else if (product() === null) {
      <app-notice code="404" heading="That piece is not on our shelf">
        There is no piece number {{ id() }}. It may have sold out for good, or never left the wheel.
      </app-notice>
    } @else {
      <app-notice code="One moment" heading="The shelf is being dusted">
        We cannot tell you about this piece right now. Please try again in a minute.
      </app-notice>
    }
  `,
  styles: `
    .crumbs {
      display: flex;
      gap: 8px;
      margin-bottom: 24px;
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
    }
    .crumbs a {
      color: inherit;
    }
    article {
      display: grid;
      grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
      gap: clamp(32px, 5vw, 72px);
      align-items: start;
    }
    .stage {
      padding: 6%;
      border-radius: 36px;
      background: color-mix(in oklab, var(--glaze) 20%, var(--mat-sys-surface-container));
    }
    .price {
      margin: 28px 0 20px;
      font: 600 32px/1 var(--serif);
      font-variant-numeric: tabular-nums lining-nums;
    }
    .buy {
      display: flex;
      flex-wrap: wrap;
      gap: 12px 20px;
      align-items: center;
      color: var(--mat-sys-on-surface-variant);
    }
    .buy button {
      --mat-button-filled-container-height: 52px;

      padding-inline: 32px;
    }
    .buy p {
      max-width: 32ch;
      margin: 0;
    }
    section {
      margin-top: 48px;
    }
    ul {
      display: grid;
      gap: 12px;
      margin: 20px 0 0;
      padding: 0;
      list-style: none;
    }
    li {
      padding: 20px 24px;
      border-radius: var(--mat-sys-corner-large);
      background: var(--mat-sys-surface-container-low);
    }
    .stars {
      margin: 0;
      color: var(--mat-sys-primary);
      letter-spacing: 0.1em;
    }
    .stars i {
      color: var(--mat-sys-outline-variant);
      font-style: normal;
    }
    blockquote {
      margin: 8px 0;
      line-height: 1.55;
    }
    cite,
    .quiet {
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
    }
    mat-progress-bar {
      margin-top: 24px;
    }
    @media (max-width: 760px) {
      article {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `,
})
export class ProductPage implements OnInit {
  readonly id = input.required<string>();
  /** Of the route's resolver, which asks with HttpClient. */
  readonly product = input.required<Found>();

  private readonly catalogue = inject(Catalogue);
  private readonly response = inject(PageResponse);
  protected readonly basket = inject(BasketStore);
  protected readonly piece = computed(() => {
    const product = this.product();
    return product === 'unknown' ? null : product;
  });
  protected readonly glaze = computed(() => this.catalogue.glaze(this.piece()?.glaze ?? ''));

  protected readonly stock = httpResource<Stock>(() => {
    const piece = this.piece();
    return piece ? `/api/stock/${piece.id}` : undefined;
  });

  /** Its `id` names it in the transfer state: what the server has read, the browser does not fetch again. */
  protected readonly reviews = resource({
    id: 'live.reviews',
    params: () => this.piece()?.id,
    loader: async ({ params: id, abortSignal: signal }): Promise<readonly Review[]> => {
      const response = await fetch(`/api/reviews/${id}`, { signal });
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
      return (await response.json()) as Review[];
    },
  });

  ngOnInit(): void {
    const product = this.product();
    if (product === null) this.response.set({ status: 404 });
    // A page without its subject: no cache keeps it, and no search engine lists it.
    if (product === 'unknown') this.response.set({ status: 503, headers: { 'Retry-After': '60' } });
  }
}
