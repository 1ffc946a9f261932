import type {} from '@ng-ssr/angular';

/** What a visitor has left in the basket at other visits. The name is empty without a visitor. */
export interface Cart {
  readonly name: string;
  /** How many, by the id of the piece. */
  readonly pieces: Readonly<Record<string, number>>;
}

declare module '@ng-ssr/angular' {
  interface SlotTypes {
    cart: Cart;
    /** The ids of pieces; none without a visitor. */
    recommendations: readonly string[];
  }
}

export const NO_CART: Cart = { name: '', pieces: {} };
