import { GLAZES, PRODUCTS, type Product } from './products';

export interface PriceRow {
  readonly code: string;
  readonly glaze: string;
  readonly size: string;
  readonly weight: string;
  readonly retail: string;
  readonly dozen: string;
  readonly gross: string;
  readonly lead: string;
}

export interface PriceTable {
  readonly product: Product;
  readonly rows: readonly PriceRow[];
}

const SIZES = [
  { name: 'Mini', code: 'XS', price: 0.65, weight: 0.5 },
  { name: 'Small', code: 'S', price: 0.8, weight: 0.7 },
  { name: 'Standard', code: 'M', price: 1, weight: 1 },
  { name: 'Large', code: 'L', price: 1.35, weight: 1.5 },
  { name: 'Grand', code: 'XL', price: 1.8, weight: 2.2 },
];

/** What a glaze adds to the price: the ones that need a second firing cost more. */
const SURCHARGE: Record<string, number> = { COB: 1.08, TEN: 1.05, ROS: 1.12, HAR: 1.04 };

const euro = (value: number) => `€${value.toFixed(2)}`;

/** The trade price list: every form in every glaze and size. The same on every build. */
export function priceTables(): readonly PriceTable[] {
  return PRODUCTS.map((product, index) => ({
    product,
    rows: GLAZES.flatMap((glaze, place) =>
      SIZES.map((size): PriceRow => {
        const retail =
          Math.round(product.price * size.price * (SURCHARGE[glaze.code] ?? 1) * 2) / 2;
        return {
          code: `${product.code}-${glaze.code}-${size.code}`,
          glaze: glaze.name,
          size: size.name,
          weight: `${Math.round((product.weight * size.weight) / 10) * 10} g`,
          retail: euro(retail),
          dozen: euro(retail * 0.85),
          gross: euro(retail * 0.7),
          lead: `${2 + ((index * 5 + place * 3) % 7)} weeks`,
        };
      }),
    ),
  }));
}
