import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSPECTOR_TOKEN, RunningServer } from '../running-server.ts';

const BIN = join(import.meta.dirname, '../../bin/ng-ssr.js');
const NEEDS = 'a terminal is made by python3 (3.11): apt-get install python3';
const { status, stdout } = spawnSync('python3', [
  '-c',
  'import os; print(hasattr(os, "login_tty"))',
]);
const hasPython = status === 0 && String(stdout).trim() === 'True';
if (!hasPython && process.env['CI']) throw new Error(NEEDS);

type Step =
  | { readonly keys: string }
  | { readonly size: readonly [columns: number, rows: number] }
  | { readonly signal: number }
  | { readonly until: string };

interface Ended {
  readonly output: string;
  readonly code: number;
  readonly isRestored: boolean;
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const [SIGHUP, SIGINT, SIGTERM] = [1, 2, 15];

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
  await server.get('/stored/1');
  await server.get('/slow/1');
});
afterAll(() => server.stop());

/** Runs `ng-ssr top` in a terminal. A function is called when the steps before it are done; it may return a step. */
async function top(
  steps: readonly (Step | (() => Promise<Step | void>))[],
  url = server.url,
): Promise<Ended> {
  const program = join(import.meta.dirname, 'terminal.py');
  const child = spawn('python3', [program, process.execPath, BIN, 'top', url], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NG_SSR_TOKEN: INSPECTOR_TOKEN, TERM: 'xterm-256color', NO_COLOR: '' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const each of steps) {
    const step = typeof each === 'function' ? await each() : each;
    if (step === undefined) continue;
    child.stdin.write(`${JSON.stringify(step)}\n`);
    expect([step, (await lines.next()).value]).toEqual([step, 'done']);
  }
  child.stdin.end();
  return JSON.parse((await lines.next()).value as string) as Ended;
}

/** The frames that were shown, without what moves the cursor. */
function framesOf({ output }: Ended): readonly string[] {
  const frames = output.split('\x1b[?2026h\x1b[H').slice(1);
  return frames.map((frame) =>
    frame.slice(0, frame.indexOf('\x1b[?2026l')).replace(/\x1b\[[\d;?]*[A-Za-z]/g, ''),
  );
}

function expectRestored({ output, isRestored }: Ended): void {
  expect(output.split(ENTER).length).toBe(output.split(LEAVE).length);
  expect(output.trimEnd().endsWith(LEAVE)).toBe(true);
  expect(isRestored).toBe(true);
}

describe.skipIf(!hasPython)(`in a terminal (${NEEDS})`, () => {
  it('shows the server, takes keys and sizes, and leaves the terminal as it was', async () => {
    const ended = await top([
      { until: 'Slowest routes' },
      { keys: 's' },
      { until: 'sort: mean' },
      { keys: 'p' },
      { until: 'PAUSED' },
      { keys: 'p' },
      { keys: '?' },
      { until: 'quits' },
      { keys: '?' },
      { size: [40, 12] },
      { until: 'hits' },
      { size: [120, 40] },
      { until: 'Renders in flight' },
      // Up, and F2, whose last byte alone would end top.
      { keys: '\x1b[A\x1bOQp' },
      { until: 'PAUSED' },
      { keys: '\x1b[Aq' },
    ]);
    expect(ended.code).toBe(0);
    expectRestored(ended);
    const frames = framesOf(ended);
    expect(frames.length).toBeGreaterThan(5);
    for (const frame of frames) expect(frame.split('\r\n').length).toBeLessThanOrEqual(40);
    expect(frames.join('')).toContain('/slow/*');
  });

  it.each([
    ['Ctrl+C', { keys: '\x03' }, 0],
    ['SIGINT', { signal: SIGINT }, -SIGINT],
    ['SIGTERM', { signal: SIGTERM }, -SIGTERM],
    ['SIGHUP', { signal: SIGHUP }, -SIGHUP],
  ])('%s leaves the terminal as it was', async (_name, step, code) => {
    const ended = await top([{ until: 'q quit' }, step]);
    expect(ended.code).toBe(code);
    expectRestored(ended);
  });

  it('says that the server is away, and goes on when it is back', async () => {
    let away = await RunningServer.start();
    const port = Number(new URL(away.url).port);
    const steps = [
      { until: 'q quit' },
      () => away.stop(),
      { until: 'No response for' },
      async () => {
        away = await RunningServer.start(port);
        return { until: `pid ${away.pid}` };
      },
      { keys: 'p' },
      { until: 'PAUSED' },
      { keys: 'q' },
    ];
    const ended = await top(steps, away.url);
    await away.stop();
    expect(framesOf(ended).at(-1)).not.toContain('No response');
    expectRestored(ended);
  });
});
