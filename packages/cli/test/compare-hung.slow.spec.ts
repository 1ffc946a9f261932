import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRoot, writeSite } from './doctor-site.ts';
import { ngSsr } from './ng-ssr.ts';

let root: string;
beforeAll(async () => {
  root = await makeRoot();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a page that hangs takes no longer than --timeout in each process', () => {
  const workspace = writeSite(root, {
    before: `const hanging = ({ url }) => url.endsWith('/hangs') ? new Promise(() => {}) : engine();`,
    options: 'engine: Object.assign(hanging, { compared: () => hanging }),',
  });
  const args = ['doctor', 'dist/shop', '--compare', '--timeout', '6', '--url', '/hangs'];
  const { status, stdout } = ngSsr(args, { NODE_ENV: 'production' }, workspace);
  expect(stdout).toContain('not rendered  /hangs\n  Fails both ways: no response in time\n');
  expect(stdout).toMatch(/\n2 pages: 1 the same, 1 not rendered\.\n$/);
  expect(status).toBe(0);
});
