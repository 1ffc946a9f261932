import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inspectedServer } from './features/inspector/inspected-server.ts';

it('the version that a server reports is that of its package', async () => {
  const file = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  expect((await inspectedServer().state()).versions.ngSsr).toBe(version);
});

it("the inspector's script and style are those of its sources", async () => {
  const { execFileSync } = await import('node:child_process');
  const tool = new URL('../../../tools/inspector/build-page.mjs', import.meta.url);
  execFileSync(process.execPath, [tool.pathname, '--check'], { stdio: 'pipe' });
});
