import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildLocalized,
  expectLocales,
  type Get,
  LOCALES,
  removeWorkspace,
  startProgram,
} from './localized-workspace.ts';

let workspace: string;

beforeAll(async () => {
  workspace = await buildLocalized('common');
}, 120_000);
afterAll(() => removeWorkspace(workspace));

const programOf = (locale: string): string =>
  join(workspace, `dist/shop/server/${locale}/server.mjs`);

async function expectLocale(get: Get, locale: string, ...texts: readonly string[]) {
  const page = await get(`/${locale}/`);
  expect(page.status).toBe(200);
  for (const text of texts) expect(page.text).toContain(text);
  expect(page.text).toContain(`<base href="/${locale}/">`);
  const script = await get(`/${locale}/main.js`);
  expect([script.status, script.headers['content-type']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
}

const SWEDISH = ['<h1>Välkommen</h1>', '<p>0,5</p>'];
const ENGLISH = ['<h1>Welcome</h1>', '<p>0.5</p>'];

describe('a build with localize, under CommonEngine', () => {
  test('the server of each locale has its pages and its scripts', async () => {
    await expectLocale((await startProgram(programOf('sv'))).get, 'sv', ...SWEDISH);
    await expectLocale((await startProgram(programOf('en'))).get, 'en', ...ENGLISH);
  }, 60_000);

  test('with allLocales any of them serves all, and redirects the base path', async () => {
    const { get } = await startProgram(programOf('sv'), { ALL_LOCALES: '1' });
    await expectLocale(get, 'sv', ...SWEDISH);
    await expectLocale(get, 'en', ...ENGLISH);
    await expectLocale(get, 'sv', ...SWEDISH);
    for (const [language, location] of [
      ['sv-FI, en;q=0.5', '/sv'],
      ['de', '/en'],
    ] as const) {
      const { status, headers } = await get('/', { 'accept-language': language });
      expect([status, headers.location]).toEqual([302, location]);
      expect(headers.vary).toBe('X-Forwarded-Prefix, Accept-Language');
    }
    expect((await get('/products/1', { 'accept-language': 'sv' })).status).toBe(404);
  }, 60_000);

  test.each([
    ['0', '1'],
    ['1', '1'],
    ['0', '2'],
  ])(
    'withLocales() chooses among all (%s render threads, %s server threads)',
    async (RENDER_THREADS, THREADS) => {
      const env = { ALL_LOCALES: '1', LOCALES, RENDER_THREADS, THREADS };
      await expectLocales((await startProgram(programOf('en'), env)).get);
    },
    60_000,
  );

  test('without the browser folder of its locale a server does not start, and its error names the folder', async () => {
    const bare = join(workspace, 'bare/server/sv');
    cpSync(join(workspace, 'dist/shop/server/sv'), bare, { recursive: true });
    const run = promisify(execFile)(process.execPath, [join(bare, 'server.mjs')]);
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining(join(workspace, 'bare/browser/sv')) as string,
    });
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining('NG_SSR_BROWSER_FOLDER_MISSING') as string,
    });
  }, 60_000);
});
