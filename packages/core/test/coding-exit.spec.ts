import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { writeBuiltSite } from './built-site.ts';

const PROGRAM = fileURLToPath(new URL('./coding-program.ts', import.meta.url));

/** @returns what the program has said, and how long it has lived after that. */
async function run(folder: string, mode: 'exit' | 'whole') {
  const child = spawn(process.execPath, [PROGRAM, folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const saidAtMs = performance.now();
  expect(await ended).toEqual([0, null]);
  return { said: said.toString(), endedAfterMs: performance.now() - saidAtMs };
}

test(
  'a process that exits does not wait for the coding of a large file',
  { timeout: 120_000 },
  async () => {
    const script = readFileSync(createRequire(import.meta.url).resolve('typescript'));
    const folder = writeBuiltSite({ 'browser/main.js': script.subarray(0, 600_000) });
    const wholeMs = Number((await run(folder, 'whole')).said);
    const { said, endedAfterMs } = await run(folder, 'exit');
    expect(said).toBe('exits\n');
    expect(endedAfterMs).toBeLessThan(wholeMs / 2);
  },
);
