import { computed, inject, Injectable, signal } from '@angular/core';
import { slot } from '@ng-ssr/angular';
import { Catalogue } from '../data/catalogue';
import type { Product } from '../data/products';
import { NO_CART } from './slots';

const KEY = 'ember-and-slip.basket';

export interface BasketLine {
  readonly product: Product;
  readonly quantity: number;
}

/**
 * What this browser keeps in its storage, and what the visitor has left at other visits, which the server sends after the
 * page. Pages are rendered with an empty basket, for everyone.
 */
@Injectable({ providedIn: 'root' })
export class BasketStore {
  private readonly catalogue = inject(Catalogue);
  /** How many of a piece, 0 if the visitor has taken it out. */
  private readonly quantities = signal<Readonly<Record<string, number>>>({});
  private readonly saved = slot('cart', NO_CART);

  /** Empty without a visitor whose name the server knows. */
  readonly owner = computed(() => this.saved().name);
  readonly ready = signal(false);
  readonly lines = computed<readonly BasketLine[]>(() =>
    Object.entries({ ...this.saved().pieces, ...this.quantities() }).flatMap(([id, quantity]) => {
      const product = this.catalogue.find(id);
      return product && quantity > 0 ? [{ product, quantity }] : [];
    }),
  );
  readonly count = computed(() => this.lines().reduce((sum, line) => sum + line.quantity, 0));
  readonly total = computed(() =>
    this.lines().reduce((sum, line) => sum + line.quantity * line.product.price, 0),
  );

  /** Call in the browser, once the page is hydrated. */
  restore(): void {
    this.quantities.set(read());
    this.ready.set(true);
  }

  add(id: string): void {
    this.set(id, (this.quantities()[id] ?? this.saved().pieces[id] ?? 0) + 1);
  }

  set(id: string, quantity: number): void {
    const { [id]: _, ...rest } = this.quantities();
    const isForgotten = quantity <= 0 && this.saved().pieces[id] === undefined;
    this.quantities.set(isForgotten ? rest : { ...this.quantities(), [id]: Math.max(quantity, 0) });
    try {
      localStorage.setItem(KEY, JSON.stringify(this.quantities()));
    } catch {
      // Storage can be full or forbidden; the basket then lasts as long as the page.
    }
  }
}

function read(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(([, value]) => Number.isInteger(value) && value >= 0),
    );
  } catch {
    return {};
  }
}
