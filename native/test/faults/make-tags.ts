// Run in a process of its own, where memory or Node-API fails: makes tags of every kind of body by
// way of the package, and prints each as a line of JSON, or the error in its place.
import { entityTag, implementation, loadError } from '../../src/index.ts';

const bodies: Record<string, Uint8Array | string> = {
  empty: '',
  ascii: 'page',
  'latin-1': 'pagé',
  wide: 'page €',
  bytes: Uint8Array.of(1, 2, 3),
  'long ascii': 'page'.repeat(50_000),
  'long latin-1': 'pagé'.repeat(50_000),
  'long wide': 'page €'.repeat(50_000),
};

const log = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

log({ implementation, loadError: loadError?.message });
for (let round = 0; round < 2; round++) {
  for (const [body, value] of Object.entries(bodies)) {
    try {
      log({ body, tag: entityTag(value) });
    } catch (error) {
      log({ body, code: (error as { code?: string }).code });
    }
  }
}
log({ end: true });
