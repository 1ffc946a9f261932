import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { cellsOf } from '../../src/terminal/cells.ts';
import { colorsFor } from '../../src/terminal/colors.ts';
import { toFrame } from '../../src/top/frame.ts';
import { type Size, START, type View } from '../../src/top/view.ts';
import { HOSTILE, HOSTILE_STATE, RECORDED } from './recorded-state.ts';

const PLAIN = colorsFor({ isTTY: false });
const COLORED = colorsFor({ isTTY: true }, {});
const VIEW: View = { ...START, server: 'shop.example', state: RECORDED };

/** Undefined for the escape sequences of colors alone. */
function controlsIn(text: string): RegExpMatchArray | null {
  return text.replace(/\x1b\[[\d;]*m/g, '').match(/[\p{C}\p{Zl}\p{Zp}]/u);
}

it.each<[string, Partial<View>, Size]>([
  ['80x24', {}, { columns: 80, rows: 24 }],
  ['40x24', {}, { columns: 40, rows: 24 }],
  ['120x40', { sort: 'max' }, { columns: 120, rows: 40 }],
  ['paused', { isPaused: true, sort: 'renders' }, { columns: 80, rows: 24 }],
  ['help', { hasHelp: true }, { columns: 80, rows: 24 }],
  [
    'away',
    { trouble: 'No answer for 12 s, trying again. http://shop.example cannot be reached' },
    { columns: 60, rows: 20 },
  ],
  ['hostile', { state: HOSTILE_STATE, server: HOSTILE }, { columns: 100, rows: 30 }],
])('the picture %s', async (name, changed, size) => {
  const lines = toFrame({ ...VIEW, ...changed }, size, PLAIN);
  await expect(`${lines.map((line) => line.trimEnd()).join('\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, `../golden/top-${name}.txt`),
  );
});

it(`no picture is larger than its terminal, whatever that is (NG_SSR_FUZZ_SEED=${seed})`, () => {
  const random = new Random(seed);
  for (let at = 0; at < 300; at++) {
    const size = { columns: 1 + random.below(200), rows: 1 + random.below(80) };
    const view = {
      ...VIEW,
      server: random.chance(0.5) ? HOSTILE : 'shop.example',
      state: random.chance(0.5) ? HOSTILE_STATE : RECORDED,
      hasHelp: random.chance(0.2),
      isPaused: random.chance(0.2),
      trouble: random.chance(0.2) ? `no answer ${HOSTILE}` : undefined,
    };
    const lines = toFrame(view, size, COLORED);
    expect(lines.length).toBeLessThanOrEqual(size.rows);
    for (const line of lines) {
      expect([size.columns, line, cellsOf(line) <= size.columns]).toEqual([
        size.columns,
        line,
        true,
      ]);
      expect(controlsIn(line), JSON.stringify(line)).toBeNull();
    }
  }
});

it('a server without any request has a picture', () => {
  const idle = {
    ...RECORDED,
    history: [],
    routes: [],
    threads: [],
    renders: { ...RECORDED.renders, inFlight: [] },
  };
  const text = toFrame({ ...VIEW, state: idle }, { columns: 80, rows: 24 }, PLAIN).join('\n');
  expect(text).toContain('none yet');
  expect(text).toContain('only the main thread');
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
});
