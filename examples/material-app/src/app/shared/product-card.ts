import { CurrencyPipe } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Catalogue } from '../data/catalogue';
import type { Product } from '../data/products';
import { Vessel } from './vessel';

@Component({
  selector: 'app-product-card',
  imports: [CurrencyPipe, RouterLink, Vessel],
  host: { '[style.--glaze]': 'color()' },
  template: `
    <div class="stage"><app-vessel [product]="product()" /></div>
    <div class="label">
      <h3>
        <a [routerLink]="['/products', product().id]">{{ product().name }}</a>
      </h3>
      <span class="price">{{ product().price | currency: 'EUR' : 'symbol' : '1.0-0' }}</span>
      <p>
        {{ product().glaze }}
        @if (product().dip; as dip) {
          & {{ dip }}
        }
      </p>
    </div>
  `,
  styles: `
    :host {
      position: relative;
      display: block;
    }
    .stage {
      overflow: hidden;
      padding: 8%;
      border-radius: var(--mat-sys-corner-large);
      background: color-mix(in oklab, var(--glaze) 16%, var(--mat-sys-surface-container));
      transition: background 240ms ease;
    }
    app-vessel {
      transition: transform 320ms cubic-bezier(0.2, 0, 0, 1);
    }
    :host(:hover) .stage {
      background: color-mix(in oklab, var(--glaze) 30%, var(--mat-sys-surface-container));
    }
    :host(:hover) app-vessel {
      transform: translateY(-3%) scale(1.03);
    }
    .label {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 2px 12px;
      padding: 14px 4px 0;
    }
    h3 {
      margin: 0;
      font: var(--mat-sys-title-medium);
    }
    a {
      color: inherit;
      text-decoration: none;
    }
    a::after {
      position: absolute;
      inset: 0;
      border-radius: var(--mat-sys-corner-large);
      content: '';
    }
    a:focus-visible {
      outline: none;
    }
    a:focus-visible::after {
      outline: 3px solid var(--mat-sys-primary);
      outline-offset: 3px;
    }
    .price {
      font: var(--mat-sys-title-medium);
      font-variant-numeric: tabular-nums;
    }
    p {
      margin: 0;
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
    }
    @media (prefers-reduced-motion: reduce) {
      .stage,
      app-vessel {
        transition: none;
      }
    }
  `,
})
export class ProductCard {
  readonly product = input.required<Product>();

  private readonly catalogue = inject(Catalogue);
  protected readonly color = computed(() => this.catalogue.glaze(this.product().glaze)?.color);
}
