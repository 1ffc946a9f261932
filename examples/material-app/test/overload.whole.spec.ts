/** What the real build answers when a page does not come in time. */
import { isShort } from '@ng-ssr/conformance/fuzz';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { encodedBuild } from './encoded-build.ts';
import { ADAPTERS_OF, ENGINES, type ExampleServer, startExample } from './example-server.ts';
import { openPage } from './open-page.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const builds = { app: encodedBuild('app'), common: encodedBuild('common') };
let browser: Browser;
beforeAll(async () => {
  if (chromium !== undefined) browser = await openBrowser(chromium);
});
afterAll(() => browser?.close());

const DEADLINE_MS = 300;
/** Far more than any machine needs, and far less than a render takes before it is given up. */
const BOUND_MS = 10_000;
const HEADING = /<h1/;

/** In a short run one of each kind: the conformance suite has deadlines on every adapter. */
const SHORT: readonly string[] = ['app elysia-bun', 'common koa'];
const cases = ENGINES.flatMap((engine) =>
  ADAPTERS_OF[engine].map((adapter) => ({ engine, adapter })),
).filter(({ engine, adapter }) => !isShort || SHORT.includes(`${engine} ${adapter}`));
describe.each(cases)('$adapter, $engine engine', ({ engine, adapter }) => {
  let server: ExampleServer;
  beforeAll(async () => {
    const env = { RENDER_MAX_WAIT_MS: String(DEADLINE_MS) };
    server = await startExample(engine, adapter, env, builds[engine]);
  });
  afterAll(() => server?.stop());

  test('a page that never comes is the CSR page at its deadline, and others are pages', async () => {
    const asked = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 3 }, (_, i) => fetch(`${server.origin}/hang?turn=${i}`)),
    );
    const tookMs = performance.now() - asked;
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-status')).toBe(
        'ng-ssr; fwd=uri-miss; detail=csr-NG_SSR_DEADLINE_PASSED',
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('etag')).toBeNull();
      expect(answer.headers.get('x-served-by')).toBe(adapter);
      const page = await answer.text();
      expect(page).toContain('<app-root');
      expect(page).not.toMatch(HEADING);
    }
    expect(tookMs).toBeGreaterThanOrEqual(DEADLINE_MS - 1);
    expect(tookMs).toBeLessThan(DEADLINE_MS + BOUND_MS);

    const home = await fetch(server.origin);
    expect(home.headers.get('cache-status')).toBe('ng-ssr; hit');
    // A first render may itself take longer than the deadline, and is stored all the same.
    const readProduct = async () => {
      const product = await fetch(`${server.origin}/products/1`);
      return HEADING.test(await product.text());
    };
    await expect.poll(readProduct, { timeout: 100_000 }).toBe(true);
  });

  if (adapter !== 'koa') return;
  test.skipIf(chromium === undefined)('the CSR page becomes the page in a browser', async () => {
    await expectPage(`${server.origin}/hang`, 'A kiln that is never opened', 'browser');
  });
});

describe.each(ENGINES)('%s engine', (engine) => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExample(engine, 'koa', {}, builds[engine]);
  });
  afterAll(() => server?.stop());

  test('a slow page comes whole after its time', async () => {
    const asked = performance.now();
    const answer = await fetch(`${server.origin}/slow`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Two seconds in the kiln');
    expect(performance.now() - asked).toBeGreaterThanOrEqual(2000 - 1);
  });

  test('an endless loop needs workers, and says so', async () => {
    const answer = await fetch(`${server.origin}/loop`);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain('This loop needs a thread of its own');
    expect(page).toContain('RENDER_THREADS=1');
  });

  test.skipIf(chromium === undefined).each([
    ['/slow', 'Two seconds in the kiln'],
    ['/loop', 'This loop needs a thread of its own'],
  ])('%s is a page in a browser', async (path, heading) => {
    await expectPage(server.origin + path, heading, 'server');
  });
});

/** Opens a page, and goes on from there as a visitor does. */
async function expectPage(
  url: string,
  heading: string,
  renderedBy: 'server' | 'browser',
): Promise<void> {
  const { page, problems, response, settled } = await openPage(browser, url);
  expect(response.status()).toBe(200);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await settled();
  // Only what a server has rendered says so.
  const context = await page.locator('app-root').getAttribute('ng-server-context');
  expect(context === null).toBe(renderedBy === 'browser');
  await page.getByRole('link', { name: 'Go to the shop' }).click();
  await page.waitForURL('**/catalog');
  expect(problems).toEqual([]);
}

// What a thread renders with does not depend on the adapter: one of each kind, and each runtime.
const KINDS: readonly string[] = ['koa', 'node', 'hono', 'elysia-bun'];
const threaded = cases.filter(
  ({ engine, adapter }) => adapter === 'koa' || (engine === 'app' && KINDS.includes(adapter)),
);
describe.each(threaded)('$adapter, $engine engine, a worker', ({ engine, adapter }) => {
  let server: ExampleServer;
  beforeAll(async () => {
    const env = {
      RENDER_THREADS: '1',
      RENDER_MAX_WAIT_MS: String(DEADLINE_MS),
      // Several times a thread's first render on a busy machine; a loop keeps a core busy as long.
      RENDER_TIMEOUT_MS: '6000',
    };
    server = await startExample(engine, adapter, env, builds[engine]);
  });
  afterAll(() => server?.stop());

  /** Pages of one reader each: a stored page would come without a render. */
  const isRendered = async (): Promise<boolean> => {
    const answer = await fetch(`${server.origin}/account`);
    return HEADING.test(await answer.text());
  };

  test('an endless loop is the CSR page, others have their answers, and pages come again', async () => {
    // A thread takes its time to start.
    await expect.poll(isRendered, { timeout: 50_000 }).toBe(true);

    // Answered while the thread is in the loop, as are those behind it.
    const answer = await fetch(`${server.origin}/loop`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('cache-status')).toMatch(/; detail=csr-NG_SSR_/);
    expect(await answer.text()).not.toMatch(HEADING);
    const home = await fetch(server.origin);
    expect(home.headers.get('cache-status')).toBe('ng-ssr; hit');
    expect(await (await fetch(`${server.origin}/api/time`)).json()).toHaveProperty('now');

    await expect.poll(isRendered, { timeout: 50_000 }).toBe(true);
  });

  if (adapter !== 'koa') return;
  test.skipIf(chromium === undefined)('no browser loops', async () => {
    await expectPage(`${server.origin}/loop`, 'Round and round on the wheel', 'browser');
  });
});

test.each([
  ['RENDER_MAX_WAIT_MS', 'soon', 1],
  ['RENDER_MAX_WAIT_MS', '0', 1],
  ['RENDER_CONCURRENCY', '1.5', 1],
  ['RENDER_MAX_QUEUED', '-1', 0],
  ['RENDER_THREADS', 'many', 0],
])('%s=%s is refused', async (name, value, least) => {
  const allowed = `${name === 'RENDER_THREADS' ? 'auto, or ' : ''}a whole number, ${least} or more`;
  await expect(startExample('app', 'koa', { [name]: value })).rejects.toThrow(
    `${name} is "${value}"; allowed: ${allowed}\n`,
  );
});
