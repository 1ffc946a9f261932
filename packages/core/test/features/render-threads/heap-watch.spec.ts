import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a heap is full by what remains after a full collection, not by garbage', async () => {
  const program = join(import.meta.dirname, 'heap-watch-program.ts');
  // A heap of this size has no full collection of its own accord.
  const flags = ['--expose-gc', '--initial-heap-size=512'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program]);
  expect(JSON.parse(stdout)).toMatchObject({ garbage: 0, collected: 0, used: 1 });
});
