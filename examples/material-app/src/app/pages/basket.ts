import { CurrencyPipe } from '@angular/common';
import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { BasketStore } from '../shared/basket-store';
import { Vessel } from '../shared/vessel';

/** Browser only: the basket is kept in local storage, so a server could only render it empty. */
@Component({
  selector: 'app-basket',
  imports: [CurrencyPipe, MatButton, RouterLink, Vessel],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Basket</p>
    @if (!basket.ready()) {
      <h1>Fetching your basket</h1>
      <p class="lead">It is kept in this browser and nowhere else.</p>
    } @else {
      @if (basket.count(); as count) {
        <h1>{{ count === 1 ? 'One piece' : count + ' pieces' }}, wrapped in straw</h1>
        <ul>
          @for (line of basket.lines(); track line.product.id) {
            <li>
              <app-vessel [product]="line.product" />
              <a [routerLink]="['/products', line.product.id]">{{ line.product.name }}</a>
              <div class="quantity">
                <button
                  matButton
                  type="button"
                  [attr.aria-label]="'One ' + line.product.name + ' less'"
                  (click)="basket.set(line.product.id, line.quantity - 1)"
                >
                  −
                </button>
                <output>{{ line.quantity }}</output>
                <button
                  matButton
                  type="button"
                  [attr.aria-label]="'One ' + line.product.name + ' more'"
                  (click)="basket.add(line.product.id)"
                >
                  +
                </button>
              </div>
              <span class="price">{{
                line.quantity * line.product.price | currency: 'EUR' : 'symbol' : '1.0-0'
              }}</span>
            </li>
          }
        </ul>
        <p class="total" role="status">
          Total <b>{{ basket.total() | currency: 'EUR' : 'symbol' : '1.0-0' }}</b>
        </p>
      } @else {
        <h1>Nothing here yet</h1>
        <p class="lead">
          Your basket is kept in this browser and nowhere else.
          <a class="link" routerLink="/catalog">Have a look around the shop</a>.
        </p>
      }
    }
  `,
  styles: `
    ul {
      margin: 40px 0 0;
      padding: 0;
      list-style: none;
    }
    li {
      display: grid;
      grid-template-columns: 84px 1fr auto 80px;
      gap: 8px 20px;
      align-items: center;
      padding-block: 12px;
      border-bottom: 1px solid var(--mat-sys-outline-variant);
    }
    a:not(.link) {
      color: inherit;
      font: var(--mat-sys-title-medium);
      text-decoration: none;
    }
    .quantity {
      display: flex;
      align-items: center;
    }
    .quantity button {
      min-width: 44px;
      font-size: 20px;
    }
    output {
      min-width: 2ch;
      text-align: center;
    }
    .price,
    .total {
      font-variant-numeric: tabular-nums;
      text-align: end;
    }
    .total {
      font: var(--mat-sys-title-large);
    }
    @media (max-width: 560px) {
      li {
        grid-template-columns: 64px 1fr 64px;
      }
      .quantity {
        grid-row: 2;
        grid-column: 2;
        margin-left: -16px;
      }
      app-vessel {
        grid-row: span 2;
      }
    }
  `,
})
export class BasketPage {
  protected readonly basket = inject(BasketStore);
}
