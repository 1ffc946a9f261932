import { computed, inject, Injectable, signal } from '@angular/core';
import { Catalogue } from '../data/catalogue';
import type { Product } from '../data/products';

const KEY = 'ember-and-slip.basket';

export interface BasketLine {
  readonly product: Product;
  readonly quantity: number;
}

/** The basket never leaves the browser: it is empty on the server and read back from storage. */
@Injectable({ providedIn: 'root' })
export class BasketStore {
  private readonly catalogue = inject(Catalogue);
  private readonly quantities = signal<Readonly<Record<string, number>>>({});

  readonly ready = signal(false);
  readonly lines = computed<readonly BasketLine[]>(() =>
    Object.entries(this.quantities()).flatMap(([id, quantity]) => {
      const product = this.catalogue.find(id);
      return product ? [{ product, quantity }] : [];
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
    this.set(id, (this.quantities()[id] ?? 0) + 1);
  }

  set(id: string, quantity: number): void {
    const { [id]: _, ...rest } = this.quantities();
    this.quantities.set(quantity > 0 ? { ...this.quantities(), [id]: quantity } : rest);
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
      Object.entries(stored).filter(([, value]) => Number.isInteger(value) && value > 0),
    );
  } catch {
    return {};
  }
}
