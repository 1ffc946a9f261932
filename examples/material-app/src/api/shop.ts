import { PRODUCTS, type Product } from '../app/data/products';
import type { Cart } from '../app/shared/slots';

/** What the shop knows of a visitor. */
export interface Account {
  /** Empty for a stranger. */
  readonly name: string;
  readonly orders: readonly Order[];
}

export interface Order {
  readonly number: string;
  readonly piece: string;
  readonly state: string;
}

export interface Stock {
  readonly id: string;
  readonly onShelf: number;
  /** Pieces in the kiln, to be unloaded tomorrow. */
  readonly inKiln: number;
}

export interface Review {
  readonly author: string;
  readonly stars: number;
  readonly text: string;
}

const LETTERS: readonly Review[] = [
  { author: 'Maren', stars: 5, text: 'Heavier than it looks, in the best way.' },
  {
    author: 'Tomasz',
    stars: 4,
    text: 'The glaze is a shade darker than in the picture. I kept it.',
  },
  { author: 'Ines', stars: 5, text: 'Survived a move, two children and the dishwasher.' },
  { author: 'Yusuf', stars: 5, text: 'I bought one, then five more.' },
  { author: 'Petra', stars: 3, text: 'Lovely, but the foot scratched my table until I waxed it.' },
  { author: 'Oisín', stars: 4, text: 'Packed in straw like an egg. Not a chip.' },
  { author: 'Hanne', stars: 5, text: 'You can feel where the thumb was.' },
];

const STATES = ['on the wheel', 'in the kiln', 'packed in straw', 'on its way'];

/** Prices that have changed since the start. Each process has its own. */
const prices = new Map<string, number>();

export function products(): readonly Product[] {
  return PRODUCTS.map(withPrice);
}

export function product(id: string): Product | undefined {
  const found = PRODUCTS.find((each) => each.id === id);
  return found && withPrice(found);
}

/** @returns the product with its new price; undefined if there is no such product. */
export function changePrice(id: string, price: number): Product | undefined {
  if (PRODUCTS.some((each) => each.id === id)) prices.set(id, price);
  return product(id);
}

export function stock(id: string): Stock | undefined {
  const found = product(id);
  return found && { id, onShelf: found.stock, inKiln: (found.stock * 7) % 12 };
}

export function reviews(id: string): readonly Review[] | undefined {
  if (product(id) === undefined) return undefined;
  const first = Number(id) % LETTERS.length;
  return [0, 2, 3].map((step) => LETTERS[(first + step) % LETTERS.length]!);
}

/** The orders of a visitor. Nobody has told us any, so they follow from the letters of the name. */
export function account(name: string): Account {
  if (name === '') return { name, orders: [] };
  const seed = seedOf(name);
  const orders = [0, 1].map((at) => ({
    number: `${name.slice(0, 2).toUpperCase()}-${1000 + ((seed * (at + 3)) % 9000)}`,
    piece: PRODUCTS[(seed + at * 5) % PRODUCTS.length]!.name,
    state: STATES[(seed + at) % STATES.length]!,
  }));
  return { name, orders };
}

/** What a visitor has left in the basket: it follows from the name too. */
export function cart(name: string): Cart {
  const seed = seedOf(name);
  const pieces = [0, 1].map((at) => [PRODUCTS[(seed + at * 7) % PRODUCTS.length]!.id, at + 1]);
  return { name, pieces: Object.fromEntries(pieces) as Cart['pieces'] };
}

/** Pieces that go with the orders of a visitor. */
export function recommendations(name: string): readonly string[] {
  const seed = seedOf(name);
  return [3, 8, 13, 18, 23].map((step) => PRODUCTS[(seed + step) % PRODUCTS.length]!.id);
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0);
}

function withPrice(of: Product): Product {
  return { ...of, price: prices.get(of.id) ?? of.price };
}
