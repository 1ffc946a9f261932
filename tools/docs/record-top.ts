/**
 * `npm run record:top`: runs `npm run demo:overload`, and `ng-ssr top` in a terminal beside it, and draws the
 * picture with the longest queue as docs/images/top.svg. Needs python3, which makes the terminal.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { drawScreen } from './draw-screen.ts';

const root = join(import.meta.dirname, '../..');
const COLUMNS = 100;
const ROWS = 28;
const LOAD_SECONDS = 40;
/** After the load has begun, so that the lines show what was before it. */
const RECORD_SECONDS = 20;
const token = randomBytes(16).toString('hex');

const demo = spawn(
  'npm',
  ['run', 'demo:overload', '--', '--seconds', String(LOAD_SECONDS), '--workers', '1'],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SHOP_INSPECTOR_TOKEN: token },
  },
);
const lines = createInterface({ input: demo.stdout })[Symbol.asyncIterator]();
const origin = await lineWith(/^ *inspector +(http\S+)/);
process.stdout.write(`recording ${origin}\n`);
const terminal = spawn(
  'python3',
  [
    join(root, 'packages/cli/test/top/terminal.py'),
    process.execPath,
    join(root, 'packages/cli/bin/ng-ssr.js'),
    'top',
    origin,
  ],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NG_SSR_TOKEN: token,
      TERM: 'xterm-256color',
      COLUMNS: String(COLUMNS),
      LINES: String(ROWS),
    },
  },
);
const recorded = text(terminal.stdout);
const say = (step: object): boolean => terminal.stdin.write(`${JSON.stringify(step)}\n`);
say({ until: 'Slowest routes' });
await lineWith(/times the capacity/);
say({ read: RECORD_SECONDS });
say({ keys: 'q' });
terminal.stdin.end();
const { output } = JSON.parse((await recorded).trimEnd().split('\n').at(-1)!) as {
  readonly output: string;
};
const frames = output.split('\x1b[?2026h\x1b[H').slice(1);
/** The one with the most renders in the queue. */
const frame = frames.reduce((best, each) => (queuedIn(each) >= queuedIn(best) ? each : best));
const file = join(root, 'docs/images/top.svg');
writeFileSync(file, drawScreen(frame.split('\x1b[?2026l')[0]!.split(/\r+\n/), COLUMNS));
process.stdout.write(`written ${file}\n`);
// The server ends with the demo, whose result is of no interest here.
for await (const _line of { [Symbol.asyncIterator]: () => lines });

async function lineWith(pattern: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the demo has ended without a line with ${pattern}`);
    const found = pattern.exec(value.replace(/\x1b\[[\d;]*m/g, ''));
    if (found !== null) return found[1] ?? found[0];
  }
}

function queuedIn(frame: string): number {
  return Number(/^queue +(\d+)/m.exec(frame)?.[1] ?? 0);
}
