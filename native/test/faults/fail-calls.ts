// Run in a process of its own: loads the addon that argv[2] names, which was compiled with
// failing-calls.h, and has it make tags of every kind of body while the first of its calls to
// Node-API fails, then the second and so on. Prints the result of each call as a line of JSON.
import { createRequire } from 'node:module';

import { createWebAssemblyWriter } from '../../src/xxh3-webassembly.ts';

interface Addon {
  entityTag(body: unknown, weak: boolean, oneByte?: boolean): unknown;
}

const path = process.argv[2]!;
const twin = createWebAssemblyWriter();
const long = 'page'.repeat(50_000);
const bodies: Record<string, [body: unknown, weak: boolean, oneByte?: boolean]> = {
  bytes: [Uint8Array.of(1, 2, 3), true],
  'one byte': ['pagé', true, true],
  'one byte, ASCII': ['page', false, true],
  'two bytes': ['page €', true, false],
  unhinted: ['page €', false],
  'long, one byte': [long, false, true],
  'long, two bytes': [`${long} €`, true, false],
  'a number': [5, false],
  'another array': [new Uint16Array(2), false],
};

/** More calls than the addon makes for any of them. */
const MOST = 12;

/** The same number of the failing call begins a new count only when it changes. */
function failing(call: number): void {
  // Node's environment variables are those of C: the addon's getenv sees them.
  process.env['FAIL_CALL'] = String(call);
}

function say(of: string, call: number, attempt: () => unknown): void {
  let outcome: object;
  try {
    outcome = { result: attempt() };
  } catch (error) {
    outcome = { code: (error as { code?: string }).code };
  }
  process.stdout.write(`${JSON.stringify({ of, call, ...outcome })}\n`);
}

let addon: Addon | undefined;
for (let call = 1; addon === undefined && call <= MOST; call++) {
  say('loading', call, () => {
    failing(call);
    addon = createRequire(import.meta.url)(path) as Addon;
    return 'loaded';
  });
}
for (const [of, [body, weak, oneByte]] of Object.entries(bodies)) {
  for (let call = MOST; call > 0; call--) {
    failing(call);
    say(of, call, () => {
      const tag = addon!.entityTag(body, weak, oneByte);
      return tag === twin(body as string, weak) ? 'the tag' : tag;
    });
  }
}
