import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApi } from './fake-api.ts';

const PROGRAM = join(import.meta.dirname, 'threads-program.ts');

// Threads share a port by SO_REUSEPORT, which spreads connections on Linux.
test.skipIf(process.platform !== 'linux')(
  'server threads have the headers for the edge on their hits, and each purge reaches it once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-edge-threads-'));
    const edge = await openApi((_request, response) => response.end());
    const program = fork(PROGRAM, [folder, edge.url]);
    try {
      const [{ port }] = (await once(program, 'message')) as [{ port: number }];
      // A connection of its own each time: the kernel chooses a thread for it.
      const get = (path: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
      const tags = new Set<string | null>();
      for (let i = 0; i < 30; i++) tags.add((await get('/a')).headers.get('xkey'));
      expect([...tags]).toEqual([expect.stringMatching(/^ng-p-/)]);
      const threads = new Set<string>();
      let purges = 0;
      while (threads.size < 2) {
        threads.add(await (await get('/-/purge')).text());
        purges++;
      }
      expect(edge.requests).toHaveLength(purges);
      const [tag] = [...tags][0]!.split(' ');
      for (const { headers } of edge.requests) expect(headers['xkey-purge']).toBe(tag);
    } finally {
      program.kill('SIGKILL');
      await once(program, 'close');
      await edge.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
