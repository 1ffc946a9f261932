import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Compiled, a hit allocates less than one byte; see `count-allocation.mjs`. */
const MOST_BYTES_PER_HIT = 24;

test('a hit allocates next to nothing', () => {
  const output = execFileSync(
    process.execPath,
    [
      '--expose-gc',
      '--max-semi-space-size=128',
      '--min-semi-space-size=128',
      join(import.meta.dirname, 'count-allocation.mjs'),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { control, ...hits } = JSON.parse(output) as Record<string, number>;
  expect(control, 'bytes per promise: the counter sees what it counts').toBeGreaterThan(24);
  for (const [kind, bytes] of Object.entries(hits)) {
    expect(bytes, `bytes per hit: ${kind}`).toBeLessThan(MOST_BYTES_PER_HIT);
  }
}, 30_000);
