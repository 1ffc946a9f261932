import { createHash } from 'node:crypto';

const WORDS =
  `the cotton shirt blue with linen collar soft washed wool jacket for winter days made in Portugal size small
medium large ships within two days free returns only few left new arrival organic fabric slim fit button pocket care
instructions wash cold do not bleach customers also bought rating of reviews price was now save add to cart wish list`.split(
    /\s+/,
  );

/** Text as of a page with products, alike for all pages in its markup and different in its words: it depends on the name alone. */
export function pageText(name: string, bytes: number): string {
  let text = '';
  for (let part = 0; text.length < bytes; part++) {
    const digest = createHash('sha256').update(`${name}\n${part}`).digest();
    const words = Array.from(digest, (byte) => WORDS[byte % WORDS.length]).join(' ');
    const id = digest.readUInt32BE(0);
    text += `<article class="product-card mat-mdc-card mdc-card" data-id="${id}"><a href="/products/${id}"><img loading="lazy" width="320" height="240" src="/images/${id}.avif" alt=""><h3 class="mat-mdc-card-title">${words.slice(0, 40)}</h3></a><p class="mat-mdc-card-content">${words}</p><span class="price">${(id % 10_000) / 100}</span></article>\n`;
  }
  return text.slice(0, bytes);
}
