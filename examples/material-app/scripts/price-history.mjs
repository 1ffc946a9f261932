// Writes public/price-history.csv: a static file of more than 1 MiB, the same on every run.
// It is generated before each build because it has no place in version control.
import { writeFileSync } from 'node:fs';
import { PRODUCTS } from '../src/app/data/products.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2022, 0, 1);
const DAYS = 4 * 365 + 1;

const lines = ['date,code,name,price_eur,sold'];
for (let day = 0; day < DAYS; day++) {
  const date = new Date(FIRST + day * DAY).toISOString().slice(0, 10);
  PRODUCTS.forEach((product, index) => {
    const season = 1 + 0.06 * Math.sin((day / 365) * 2 * Math.PI + index);
    const price = (product.price * season * (0.82 + (0.18 * day) / DAYS)).toFixed(2);
    const sold = (day * 7 + index * 13) % (3 + (product.stock % 9));
    lines.push(`${date},${product.code},${product.name},${price},${sold}`);
  });
}
writeFileSync(new URL('../public/price-history.csv', import.meta.url), `${lines.join('\n')}\n`);
