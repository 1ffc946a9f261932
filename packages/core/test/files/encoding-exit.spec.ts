import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { writeBuiltSite } from '../built-site.ts';

const PROGRAM = fileURLToPath(new URL('./encoding-program.ts', import.meta.url));
/** `times` of POSIX shells: the processor time of its children, user and system. */
const TIMES = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/;

/**
 * Counts processor time instead of the time that passes: other processes of a busy machine do not change it.
 *
 * @returns how much the process has taken until it printed its line, and until its end.
 */
async function run(folder: string, mode: 'exit' | 'whole') {
  const command = '"$@" && times';
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, PROGRAM, folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const printed = await text(child.stdout);
  expect(await ended).toEqual([0, null]);
  const [said, beforeMs, ofEncodingMs] = printed.split('\n')[0]!.split(' ');
  const [, ...parts] = TIMES.exec(printed)!.map(Number);
  const totalMs = ((parts[0]! + parts[2]!) * 60 + parts[1]! + parts[3]!) * 1000;
  return { said, afterMs: totalMs - Number(beforeMs), ofEncodingMs: Number(ofEncodingMs) };
}

test.skipIf(process.platform === 'win32')(
  'a process that exits does not wait for the encoding of a large file',
  async () => {
    const script = readFileSync(createRequire(import.meta.url).resolve('typescript'));
    const folder = writeBuiltSite({ 'browser/main.js': script.subarray(0, 1_500_000) });
    const whole = await run(folder, 'whole');
    expect(whole.said).toBe('encoded');
    const { said, afterMs } = await run(folder, 'exit');
    expect(said).toBe('exits');
    expect(afterMs).toBeLessThan(whole.ofEncodingMs / 2);
  },
);
