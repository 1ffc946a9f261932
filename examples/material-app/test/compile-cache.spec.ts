import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startExample } from './example-server.ts';

/** What Node says of each module's code that it takes from the cache, or cannot. */
const TAKEN = /V8 code cache for ESM (\S+) was (accepted|rejected)/;

/** @returns the lines of a server about its compile cache, as they come. */
async function start(folder: string) {
  const server = await startExample('app', 'node', {
    NODE_COMPILE_CACHE: folder,
    NODE_COMPILE_CACHE_PORTABLE: '',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  });
  const lines = createInterface({ input: server.child.stderr! });
  return { ...server, lines };
}

test("what Node has compiled for a server that loaded the application in advance serves the next one's first render", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-compiled-'));
  try {
    const first = await start(folder);
    const loaded = new Promise<void>((resolve) => {
      first.lines.on('line', (line) => line.includes('/main.server.mjs') && resolve());
    });
    // The first fetch takes long, and the second server must get its request before it loads the application itself.
    await fetch(first.origin);
    await loaded;
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await start(folder);
    const results = new Map<string, string>();
    second.lines.on('line', (line) => {
      const [, file, result] = TAKEN.exec(line) ?? [];
      // Texts, which may be read before the first render or in it: V8's flags differ, and there is little to compile.
      if (file !== undefined && !file.includes('/assets-chunks/')) results.set(file, result!);
    });
    const ended = once(second.lines, 'close');
    expect((await fetch(`${second.origin}/lazy`)).status).toBe(200);
    expect(await second.stop('SIGTERM')).toBe(0);
    await ended;
    const of = (result: string) => [...results].filter(([, each]) => each === result);
    expect(of('rejected')).toEqual([]);
    expect(of('accepted').some(([file]) => file.endsWith('/main.server.mjs'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
