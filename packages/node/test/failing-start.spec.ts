import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('failing-start-program.ts', import.meta.url));
const occupant = createServer();

beforeAll(async () => {
  await once(occupant.listen(0), 'listening');
});
afterAll(() => void occupant.close());

test.each([
  ['node', 'awaited', 1],
  ['node', 'ignored', 1],
  ['node', 'handled', 0],
  ['fastify', 'ignored', 1],
])('a program on %s whose server cannot start, %s, ends with %i', async (adapter, way, code) => {
  const { port } = occupant.address() as AddressInfo;
  const child = spawn(process.execPath, [PROGRAM, adapter, String(port), way], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [ended] = (await once(child, 'close')) as [number | null];
  expect({ ended, said }).toEqual({
    ended: code,
    said: expect.stringMatching(way === 'handled' ? 'another way' : 'EADDRINUSE'),
  });
});
