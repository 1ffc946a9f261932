import { Component, computed, inject, signal } from '@angular/core';
import { MatChipListbox, MatChipOption } from '@angular/material/chips';
import { Catalogue } from '../data/catalogue';
import { CATEGORIES, type Category } from '../data/products';
import { ProductCard } from '../shared/product-card';

@Component({
  selector: 'app-catalog',
  imports: [MatChipListbox, MatChipOption, ProductCard],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">The shop</p>
    <h1>This month on the shelf</h1>

    <div class="filters">
      <mat-chip-listbox aria-label="Kind of piece" (change)="category.set($event.value)">
        @for (name of categories; track name) {
          <mat-chip-option [value]="name">{{ name }}</mat-chip-option>
        }
      </mat-chip-listbox>
      <p role="status">{{ products().length }} pieces</p>
    </div>

    <div class="grid">
      @for (product of products(); track product.id) {
        <app-product-card [product]="product" />
      }
    </div>
  `,
  styles: `
    .filters {
      display: flex;
      flex-wrap: wrap;
      gap: 12px 24px;
      align-items: center;
      justify-content: space-between;
      margin: 28px 0 36px;
    }
    .filters p {
      margin: 0;
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
    }
  `,
})
export class CatalogPage {
  private readonly catalogue = inject(Catalogue);

  protected readonly categories = CATEGORIES;
  protected readonly category = signal<Category | undefined>(undefined);
  protected readonly products = computed(() => this.catalogue.all(this.category()));
}
