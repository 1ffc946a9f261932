import { CurrencyPipe, DecimalPipe } from '@angular/common';
import { Component, computed, inject, input, type OnInit } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { slot } from '@ng-ssr/angular';
import { Catalogue } from '../data/catalogue';
import { PageResponse } from '../server/page-response';
import { BasketStore } from '../shared/basket-store';
import { FiringNote } from '../shared/firing-note';
import { ProductCard } from '../shared/product-card';
import { Vessel } from '../shared/vessel';

@Component({
  selector: 'app-product',
  imports: [CurrencyPipe, DecimalPipe, FiringNote, MatButton, ProductCard, RouterLink, Vessel],
  host: { class: 'page', '[style.--glaze]': 'glaze()?.color' },
  template: `
    @if (product(); as piece) {
      <nav class="crumbs" aria-label="Breadcrumb">
        <a routerLink="/catalog">Shop</a>
        <span aria-hidden="true">/</span>
        <span>{{ piece.category }}</span>
      </nav>
      <article>
        <div class="stage"><app-vessel [product]="piece" /></div>
        <div class="details">
          <h1>{{ piece.name }}</h1>
          <p class="lead">{{ piece.summary }}</p>
          <p class="price">{{ piece.price | currency: 'EUR' }}</p>
          <div class="buy">
            <button matButton="filled" type="button" (click)="basket.add(piece.id)">
              Add to basket
            </button>
            <span>{{ piece.stock }} on the shelf</span>
          </div>
          <p class="story">{{ piece.story }}</p>
          <dl>
            <dt>Glaze</dt>
            <dd>
              {{ piece.glaze }}
              @if (piece.dip; as dip) {
                dipped in {{ dip }}
              }
            </dd>
            <dt>Finish</dt>
            <dd>{{ glaze()?.finish }}. {{ glaze()?.note }}</dd>
            <dt>Size</dt>
            <dd>{{ piece.height | number }} cm high, {{ piece.width | number }} cm across</dd>
            <dt>Weight</dt>
            <dd>{{ piece.weight | number }} g</dd>
          </dl>
          <app-firing-note [page]="'product-' + piece.id" />
        </div>
      </article>
      <h2>{{ picked().length > 0 ? 'Picked for you' : 'Sits well beside' }}</h2>
      <div class="grid">
        @for (other of related(); track other.id) {
          <app-product-card [product]="other" />
        }
      </div>
    } @else {
      <p class="eyebrow">404</p>
      <h1>That piece is not on our shelf</h1>
      <p class="lead">
        There is no piece number {{ id() }}. It may have sold out for good, or never left the wheel.
        <a class="link" routerLink="/catalog">See everything in the shop</a>, or one of these:
      </p>
      <div class="grid suggestions">
        @for (other of suggestions; track other.id) {
          <app-product-card [product]="other" />
        }
      </div>
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
    .story {
      margin: 32px 0;
      line-height: 1.65;
    }
    dl {
      display: grid;
      grid-template-columns: 96px 1fr;
      margin: 0;
      border-top: 1px solid var(--mat-sys-outline-variant);
    }
    dt,
    dd {
      margin: 0;
      padding: 12px 0;
      border-bottom: 1px solid var(--mat-sys-outline-variant);
      font: var(--mat-sys-body-medium);
    }
    dt {
      color: var(--mat-sys-on-surface-variant);
    }
    h2 {
      margin: 88px 0 28px;
    }
    .suggestions {
      margin-top: 48px;
    }
    @media (max-width: 760px) {
      article {
        grid-template-columns: minmax(0, 1fr);
      }
      h2 {
        margin-top: 64px;
      }
    }
  `,
})
export class ProductPage implements OnInit {
  readonly id = input.required<string>();

  private readonly catalogue = inject(Catalogue);
  private readonly response = inject(PageResponse);
  protected readonly basket = inject(BasketStore);
  protected readonly product = computed(() => this.catalogue.find(this.id()));
  protected readonly glaze = computed(() => this.catalogue.glaze(this.product()?.glaze ?? ''));
  /** Other pieces for this visitor, once they are there. */
  private readonly recommended = slot('recommendations', []);
  protected readonly picked = computed(() =>
    this.recommended()
      .flatMap((id) => {
        const product = id === this.id() ? undefined : this.catalogue.find(id);
        return product ? [product] : [];
      })
      .slice(0, 4),
  );
  protected readonly related = computed(() => {
    const product = this.product();
    if (!product) return [];
    return this.picked().length > 0 ? this.picked() : this.catalogue.related(product);
  });
  protected readonly suggestions = this.catalogue.all().slice(0, 4);

  ngOnInit(): void {
    if (!this.product()) return this.response.set({ status: 404 });
    // Here and not in the server routes, so that both engines send them.
    this.response.set({
      headers: {
        'Cache-Control': 'public, max-age=0, s-maxage=10, stale-while-revalidate=60',
        'Cache-Tag': `products, product-${this.id()}`,
      },
    });
  }
}
