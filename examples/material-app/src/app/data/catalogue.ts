import { Injectable } from '@angular/core';
import { GLAZES, PRODUCTS, type Category, type Glaze, type Product } from './products';

/** The shop's data. It lives in memory, so every page renders without a network. */
@Injectable({ providedIn: 'root' })
export class Catalogue {
  private readonly byId = new Map(PRODUCTS.map((product) => [product.id, product]));
  private readonly glazes = new Map(GLAZES.map((glaze) => [glaze.name, glaze]));

  all(category?: Category): readonly Product[] {
    return category ? PRODUCTS.filter((product) => product.category === category) : PRODUCTS;
  }

  find(id: string): Product | undefined {
    return this.byId.get(id);
  }

  glaze(name: string): Glaze | undefined {
    return this.glazes.get(name);
  }

  /** Pieces that sit well beside this one: its own kind first, then its own glaze. */
  related(product: Product, count = 4): readonly Product[] {
    const score = (other: Product) =>
      (other.category === product.category ? 2 : 0) + (other.glaze === product.glaze ? 1 : 0);
    return PRODUCTS.filter((other) => other.id !== product.id)
      .sort((a, b) => score(b) - score(a))
      .slice(0, count);
  }
}
