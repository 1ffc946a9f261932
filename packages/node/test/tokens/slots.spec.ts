import { stress } from '@ng-ssr/conformance/fuzz';
import type { InspectorState } from '@ng-ssr/core';
import { expect, test } from 'vitest';
import { Connection, startProgram } from '../threads/running-program.ts';
import { threadsMissing } from '../threads/threads-missing.ts';

const CLIENTS = 200;
const REQUESTS = stress(20_000);
const TARGETS = ['/', '/stored/a', '/stored/b', '/stored/c', '/private'];
const TOKEN = /token-\d+-of-\d+/g;

test.skipIf(threadsMissing !== undefined)(
  `${REQUESTS} requests of ${CLIENTS} clients: each has its own token, and no other`,
  async () => {
    const { port } = await startProgram({ slots: true, threads: 2 });
    const seen = { own: 0, none: 0 };
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; turn < REQUESTS / CLIENTS; turn++) {
        const target = TARGETS[(number + turn) % TARGETS.length]!;
        const own = `token-${number}-of-${turn}`;
        const isKnown = turn % 4 !== 3;
        // fetch accepts gzip and br, and decodes them.
        const response = await fetch(`http://127.0.0.1:${port}${target}`, {
          headers: isKnown ? { cookie: own } : {},
        });
        const tokens = (await response.text()).match(TOKEN) ?? [];
        expect([response.status, ...tokens]).toEqual(isKnown ? [200, own] : [200]);
        seen[isKnown ? 'own' : 'none']++;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    expect(seen.own + seen.none).toBe(REQUESTS);
    const connection = new Connection(port);
    expect((await connection.get('/api/errors')).text).toBe('[]');
    const bearer = { authorization: 'Bearer a-token-of-this-test' };
    const filled = async (): Promise<number | undefined> => {
      const { text } = await connection.get('/inspector/state', bearer);
      return (JSON.parse(text) as InspectorState).slots[0]?.filled;
    };
    // Other threads tell the main thread their numbers once in a second.
    await expect.poll(filled, { timeout: 60_000 }).toBe(seen.own);
    connection.close();
  },
);
