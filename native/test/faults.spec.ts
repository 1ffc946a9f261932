import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, describe, expect, it } from 'vitest';

import { isAddonMissing, missingAddon } from './implementations.ts';

const require = createRequire(import.meta.url);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ng-ssr-etag-faults-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a library; says why where there is no compiler for it, and in CI fails there. */
function compile(args: string[]): string | undefined {
  if (isAddonMissing) return missingAddon;
  const compiler = process.env['CC'] ?? 'cc';
  const { status, error, stderr } = spawnSync(compiler, ['-shared', '-fPIC', '-O1', ...args], {
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const reason = `${compiler} does not compile it: ${error?.message ?? stderr}`;
  if (process.env['CI'] === 'true') throw new Error(`In CI: ${reason}`);
  return reason.split('\n', 1)[0];
}

function run<Line>(
  script: string,
  args: string[],
  env: Record<string, string>,
): { signal: string | null; lines: Line[] } {
  const { signal, stdout } = spawnSync(process.execPath, [here(script), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').slice(0, -1);
  return { signal, lines: lines.map((line) => JSON.parse(line) as Line) };
}

const onLinux = process.platform === 'linux';

const library = join(folder, 'failing-memory.so');
const noLibrary = onLinux
  ? compile(['-o', library, here('faults/failing-memory.c'), '-ldl'])
  : 'a library is loaded first by LD_PRELOAD, on Linux';

describe.skipIf(noLibrary !== undefined)(
  `memory that fails${noLibrary === undefined ? '' : ` (${noLibrary})`}`,
  () => {
    interface Line {
      body?: string;
      tag?: string;
      code?: string;
      implementation?: string;
      end?: true;
    }
    const report = join(folder, 'report');
    const makeTags = (env: Record<string, string>) => {
      const { signal, lines } = run<Line>('faults/make-tags.ts', [], {
        LD_PRELOAD: library,
        REPORT: report,
        ...env,
      });
      return { signal, last: lines.at(-1), first: lines[0], tags: lines.slice(1, -1) };
    };

    it('costs a tag and never the process, whichever allocation of the addon it is', () => {
      const { tags } = makeTags({ NG_SSR_ETAG: 'js' });
      const whole = makeTags({ NG_SSR_ETAG: 'native' });
      expect(whole).toMatchObject({ first: { implementation: 'native' }, last: { end: true } });
      expect(whole.tags).toEqual(tags);
      const allocations = Number(readFileSync(report, 'utf8'));
      expect(allocations).toBeGreaterThan(1);

      let refused = 0;
      for (let from = 1; from <= allocations; from++) {
        // This one alone, and all from this one on.
        for (const to of [{ FAIL_TO: String(from) }, {}]) {
          const failing = { FAIL_FROM: String(from), ...to };
          const made = makeTags(failing);
          expect({ failing, signal: made.signal, last: made.last }).toEqual({
            failing,
            signal: null,
            last: { end: true },
          });
          expect(made.tags.length).toBe(tags.length);
          for (const [i, line] of made.tags.entries()) {
            if (line.tag === undefined) refused++;
            expect({ failing, ...line }).toMatchObject({
              failing,
              ...(line.tag === undefined ? { code: 'ERR_ETAG_MEMORY' } : tags[i]),
            });
          }
        }
      }
      expect(refused).toBeGreaterThan(0);
    }, 60_000);
  },
);

const headers = join(dirname(dirname(process.execPath)), 'include', 'node');
const faulty = join(folder, 'etag.node');
const noFaulty = !onLinux
  ? 'linked as on Linux'
  : !existsSync(join(headers, 'node_api.h'))
    ? 'the headers of this Node are not beside it'
    : compile([
        ...['-fno-exceptions', '-include', here('faults/failing-calls.h')],
        ...['-DNAPI_VERSION=8', '-I', headers],
        ...['-I', join(dirname(require.resolve('xxhash-addon/package.json')), 'xxHash')],
        ...['-o', faulty, here('../src/cpp/entity-tag.cc'), here('../src/cpp/xxh3-dispatch.c')],
        '-lstdc++',
      ]);

describe.skipIf(noFaulty !== undefined)(
  `calls of Node-API that fail${noFaulty === undefined ? '' : ` (${noFaulty})`}`,
  () => {
    interface Line {
      of: string;
      call: number;
      result?: string;
      code?: string;
    }
    let ran: { signal: string | null; lines: Line[] } | undefined;
    const outcomes = () => (ran ??= run<Line>('faults/fail-calls.ts', [faulty], {}));

    it.each([
      ['loading', 3, { result: 'loaded' }],
      ['bytes', 4, { result: 'the tag' }],
      ['one byte', 8, { result: 'the tag' }],
      ['one byte, ASCII', 8, { result: 'the tag' }],
      ['two bytes', 8, { result: 'the tag' }],
      ['unhinted', 8, { result: 'the tag' }],
      ['long, one byte', 8, { result: 'the tag' }],
      ['long, two bytes', 8, { result: 'the tag' }],
      ['a number', 4, { code: 'ERR_ETAG_BODY' }],
      ['another array', 4, { code: 'ERR_ETAG_BODY' }],
    ])('are each thrown as an error, never a wrong tag: %s', (name, calls, otherwise) => {
      expect(outcomes().signal).toBeNull();
      const attempts = outcomes().lines.filter(({ of }) => of === name);
      expect(attempts.length).toBeGreaterThan(calls);
      for (const { of: _, call, ...outcome } of attempts) {
        const expected = call <= calls ? { code: 'ERR_ETAG_NODE_API' } : otherwise;
        expect({ call, ...outcome }).toEqual({ call, ...expected });
      }
    });

    it('are all of those that the addon makes', () => {
      const source = readFileSync(here('../src/cpp/entity-tag.cc'), 'utf8');
      const list = readFileSync(here('faults/failing-calls.h'), 'utf8');
      const made = new Set(source.match(/\bnapi_\w+(?=\()/g));
      const failing = new Set(list.match(/(?<=#define )napi_\w+(?=\()/g));
      expect([...made].filter((name) => !failing.has(name)).sort()).toEqual([
        'napi_throw_error',
        'napi_throw_type_error',
      ]);
    });
  },
);
