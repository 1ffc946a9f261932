import { stripVTControlCharacters, styleText } from 'node:util';
import { formatCount, formatMs } from './format.ts';
import { MEANINGS, type Fallback, FALLBACKS } from './fallbacks.ts';
import type { Tally } from './tally.ts';

type Style = Parameters<typeof styleText>[0];

const COLORS: Readonly<Record<Fallback, Style>> = {
  hit: 'green',
  stored: 'green',
  rendered: 'cyan',
  stale: 'yellow',
  csr: 'magenta',
  '503': 'red',
  error: 'red',
};

/** What does not rewrite its lines gets one in this time. */
const PLAIN_EVERY_MS = 5000;
const BAR_WIDTH = 16;

let plainAtMs = 0;

/** Text in a style, where the terminal has any. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** A line that the next one takes the place of. */
export function showLive(text: string): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r${text}\u001b[K`);
  } else if (performance.now() - plainAtMs >= PLAIN_EVERY_MS) {
    console.log(text);
    plainAtMs = performance.now();
  }
}

/** Takes the live line away. */
export function endLive(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  plainAtMs = 0;
}

/** A name and what is to be said of it. */
export function showFact(name: string, text: string): void {
  console.log(`  ${paint('dim', name.padEnd(10))}${text}`);
}

/** Who has answered so far, in one line of the terminal: what has not is left out where it must be. */
export function toLine(seconds: number, tally: Tally): string {
  const [p50, p99] = [0.5, 0.99].map((share) => formatMs(tally.quantile(share, 'hit')));
  const parts = FALLBACKS.map((fallback) => {
    const count = tally.count(fallback);
    const text = `${fallback} ${formatCount(count)}`;
    return { count, text: paint(count === 0 ? 'dim' : COLORS[fallback], text) };
  });
  const [hit, ...others] = parts;
  const toText = (shown: typeof parts): string =>
    [
      ` ${`${seconds.toFixed(0)} s`.padStart(5)}`,
      `${hit!.text} ${paint('bold', `p50 ${p50} p99 ${p99}`)}`,
      ...shown.map(({ text }) => text),
    ].join('  ');
  const line = toText(others);
  return fits(line) ? line : toText(others.filter(({ count }) => count > 0));
}

/** Every fallback with its answers and their times. */
export function showTable(tally: Tally): void {
  const all = tally.count();
  const most = Math.max(...FALLBACKS.map((fallback) => tally.count(fallback)));
  const head = ['fallback'.padEnd(10), 'answers'.padStart(9), 'share'.padStart(7), '  '];
  const times = ['p50'.padStart(9), 'p99'.padStart(9)];
  console.log(paint('dim', `  ${head.join('')}${' '.repeat(BAR_WIDTH)}${times.join('')}`));
  for (const fallback of FALLBACKS) {
    const count = tally.count(fallback);
    const share = all === 0 ? 0 : (count / all) * 100;
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_WIDTH)));
    const row = [
      fallback.padEnd(10),
      formatCount(count).padStart(9),
      `${share.toFixed(1)}%`.padStart(7),
      `  ${bar.padEnd(BAR_WIDTH)}`,
      formatMs(tally.quantile(0.5, fallback)).padStart(9),
      formatMs(tally.quantile(0.99, fallback)).padStart(9),
    ].join('');
    const painted = count === 0 ? paint('dim', row) : paint(COLORS[fallback], row);
    const explained = `  ${painted}   ${paint('dim', MEANINGS[fallback])}`;
    console.log(fits(explained) ? explained : `  ${painted}`);
  }
}

function fits(text: string): boolean {
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  return stripVTControlCharacters(text).length < columns;
}
