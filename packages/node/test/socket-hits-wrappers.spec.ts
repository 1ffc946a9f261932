import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const PROGRAM = fileURLToPath(new URL('socket-hits/wrapped-program.ts', import.meta.url));
const HITS = 10;

interface Counts {
  /** How many requests node:http has read. */
  readonly read: number;
  /** How often the wrapper was called. */
  readonly calls: number;
}

async function run(name: string): Promise<Counts> {
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
  const parameters = [PROGRAM, name, folder, String(HITS)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return JSON.parse(stdout) as Counts;
}

test.each([
  'ServerResponse.writeHead',
  'ServerResponse.end',
  'OutgoingMessage.end',
  'Server.emit',
  'EventEmitter.emit',
  'createServer',
])('a wrapper of %s sees every hit, even if it is older than ng-ssr', async (name) => {
  expect(await run(name)).toEqual({ read: HITS, calls: HITS });
});

test('a wrapper of write, which hits do not call, keeps them with node:http', async () => {
  expect(await run('ServerResponse.write')).toEqual({ read: HITS, calls: 0 });
});

test('without a wrapper hits are answered before node:http reads them', async () => {
  expect(await run('none')).toEqual({ read: 2, calls: 0 });
});
