import type { Random } from '@ng-ssr/conformance/fuzz';

/** A text of random pieces: those of a header's own syntax come near to what a parser gets wrong. */
export function randomText(random: Random, pieces: readonly string[], most: number): string {
  let text = '';
  for (let count = random.below(most + 1); count > 0; count--) text += random.pick(pieces);
  return text;
}
