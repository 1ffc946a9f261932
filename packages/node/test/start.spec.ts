import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Listens, and prints which of Node's own modules are loaded by then. */
const PROGRAM = `
  import { createNodeSsrServer } from '@ng-ssr/node/server';
  const server = createNodeSsrServer({ engine: () => null, allowedHosts: ['localhost'] });
  await server.listen({ port: 0, announce: false, shutdown: false });
  console.log(JSON.stringify(process.moduleLoadList));
  await server.close();
`;

test('a server listens without having loaded fetch or HTTP/2', () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const output = execFileSync(process.execPath, args, { cwd: import.meta.dirname });
  const loaded = JSON.parse(String(output)) as string[];
  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici');
  expect(loaded).not.toContain('NativeModule http2');
});
