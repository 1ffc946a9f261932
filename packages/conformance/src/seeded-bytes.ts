import { Random } from './fuzz/random.ts';

/**
 * Bytes that look random and are the same on every run and machine.
 *
 * @param length - How many bytes.
 * @param seed - Another seed gives other bytes.
 */
export function seededBytes(length: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  const random = new Random(seed);
  for (let index = 0; index < length; index++) bytes[index] = random.word() & 0xff;
  return bytes;
}

const WORDS = (
  'angular server page answer field route cache stored fresh stale host encoding range tag store ' +
  'render client request header origin value list price order basket shop garden river mountain'
).split(' ');

/**
 * Readable text of at least `length` characters, the same on every run: compresses like prose.
 *
 * @param length - The least number of characters.
 * @param seed - Another seed gives another text.
 */
export function seededText(length: number, seed: number): string {
  const picks = seededBytes(Math.ceil(length / 4) + 1, seed);
  const words: string[] = [];
  for (let size = 0, index = 0; size < length; index++) {
    const word = WORDS[(picks[index] ?? 0) % WORDS.length] ?? '';
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ');
}
