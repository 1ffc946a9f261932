import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visit, withBrowser } from '../browser-page.mjs';
import { freePort } from '../../free-port.ts';
import { run, serve } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { get, LISTENING, TWIN_NOTICE } from '../http-checks.mjs';
import { checkLiveReload } from '../live-reload.mjs';
import { newApplication } from '../new-application.mjs';
import { childEnv, copyWorkspace, digestOf, linkModules, programOf } from '../workspace.mjs';

const SOURCES = join(import.meta.dirname, 'ng-modules');
const CONFIG = '/assets/config.json';
const SLOGAN = 'Everything for the garden';
const ADD = ['add', '@ng-ssr/koa', '--skip-confirmation'];

/**
 * NgModules and zone.js, Tailwind and a service worker: an application of some years.
 *
 * @param isWhole - Whether it is tested and served by `ng serve`, and is on CommonEngine too.
 */
export async function checkApplication({ starts, place, npmrc, angular, isWhole, check, say }) {
  const title = 'NgModules, zone.js, PWA, Tailwind';
  const ngIn = (folder) => (args) =>
    run(programOf(folder, 'ng'), args, { cwd: folder, env: childEnv });

  say(`${title}: ng new, ng add @angular/pwa`);
  const flags = ['--no-standalone', '--no-zoneless', '--style=tailwind', '--no-ssr'];
  const plain = await newApplication(flags, { starts, place, npmrc, angular });
  cpSync(SOURCES, plain, { recursive: true });
  // npm adds what this one has beside.
  await linkModules(await starts['without SSR'](), plain);
  await run('npm', ['install'], { cwd: plain, env: childEnv });
  await ngIn(plain)(['add', '@angular/pwa', '--skip-confirmation']);
  const app = join(place, 'app');
  await copyWorkspace(plain, app);
  await check(`${title}: ng add @angular/ssr, ng add @ng-ssr/koa, ng build`, async () => {
    await ngIn(app)(['add', `@angular/ssr@${versionOf(plain)}`, '--skip-confirmation']);
    await ngIn(app)(ADD);
    declareServerRoutes(app);
    await ngIn(app)(['build']);
  });
  await checkServed(app, `${title}, app engine`, check);
  if (!isWhole) return;
  await check(`${title}: ng test`, async () => {
    await ngIn(app)(['test', '--watch=false']);
  });
  await check(`${title}, app engine: ng serve`, () => checkLiveReload(app));

  const common = join(place, 'common');
  await copyWorkspace(plain, common);
  await check(`${title}: ng add @ng-ssr/koa --engine common, ng build`, async () => {
    await ngIn(common)([...ADD, '--engine', 'common']);
    assert.match(
      readFileSync(join(common, 'src/server.ts'), 'utf8'),
      /commonEngine\(\{ bootstrap \}\)/,
    );
    await ngIn(common)(['build']);
  });
  await checkServed(common, `${title}, common engine`, check);
  await check(`${title}: ng add again changes nothing`, async () => {
    const before = digestOf(common);
    await ngIn(common)([...ADD, '--engine', 'common']);
    assert.equal(digestOf(common), before);
  });
  await check(`${title}: ng add --engine app, ng build, pages served`, async () => {
    const { output } = await ngIn(common)([...ADD, '--engine', 'app']);
    assert.match(output, /catalog\/:id/);
    await ngIn(common)(['build']);
    await withServer(common, (port) => checkPages(port));
  });
}

async function checkServed(workspace, title, check) {
  await check(`${title}: pages with critical CSS and what they have fetched`, () =>
    withServer(workspace, checkPages),
  );
  await check(`${title}: the files of the service worker`, () =>
    withServer(workspace, checkWorkerFiles),
  );
  await check(`${title}: in a browser, and again from the service worker`, () =>
    withBrowser((browser) =>
      withServer(workspace, (port, stop) => checkInBrowser(browser, port, stop)),
    ),
  );
}

/** Starts the built server; `action` takes its port and `stop`. */
async function withServer(workspace, action) {
  const port = await freePort();
  // As an operator does: a server with loopback hosts alone says so.
  const hosts = { NG_ALLOWED_HOSTS: 'shop.example,localhost,127.0.0.1' };
  const env = { ...childEnv, ...hosts, PORT: String(port), NODE_ENV: 'production' };
  const server = await serve(process.execPath, [SERVER], { cwd: workspace, env, ready: LISTENING });
  try {
    const result = await action(port, server.stop);
    assert.doesNotMatch(server.output(), TWIN_NOTICE);
    assert.doesNotMatch(server.output(), /error|deprecat/i);
    return result;
  } finally {
    await server.stop();
  }
}

async function checkPages(port) {
  const home = await page(port, '/', 'Home one');
  assert.match(home.body, /ng-server-context="ssg"/, 'GET / is not the prerendered page');
  const catalog = await page(port, '/catalog', 'Catalog');
  assert.match(catalog.body, /ng-server-context="ssg"/, 'GET /catalog is not the prerendered page');
  const product = await page(port, '/catalog/7', 'Product 7');
  assert.doesNotMatch(product.body, /ng-server-context="ssg"/);

  const [, path] = /<link rel="stylesheet" href="([^"]+)"/.exec(home.body);
  const css = await get(port, `/${path}`);
  assert.equal(css.status, 200);
  assert.match(css.headers['content-type'], /^text\/css/);
  assert.match(css.headers['cache-control'], /immutable/);
  assert.match(css.body, /\.bg-emerald-700/);
  assert.match(css.body, /\.tracking-widest/);
}

/** A page with its critical CSS, and with the configuration that the browser need not fetch. */
async function page(port, path, heading) {
  const answer = await get(port, path);
  const { status, body } = answer;
  assert.equal(status, 200, `GET ${path} is ${status}: ${body.slice(0, 500)}`);
  assert.match(body, new RegExp(`<h1[^>]*>${heading}</h1>`));
  assert.ok(body.includes(`<p id="slogan">${SLOGAN}</p>`), `GET ${path}: ${body}`);
  const [, state = ''] = /<script id="ng-state"[^>]*>(.*?)<\/script>/.exec(body) ?? [];
  assert.ok(state.includes(SLOGAN), `the state of ${path} has no answer: ${state}`);
  const [, critical = ''] = /<style[^>]*>(.*?)<\/style>/s.exec(body) ?? [];
  assert.match(critical, /\.bg-emerald-700/, `GET ${path} has no critical CSS`);
  return answer;
}

/** Every file that the worker holds comes with the bytes it expects, or it would not install. */
async function checkWorkerFiles(port) {
  const listed = await get(port, '/ngsw.json');
  assert.match(listed.headers['content-type'], /^application\/json/);
  const { hashTable } = JSON.parse(listed.body);
  assert.ok(Object.keys(hashTable).length > 10);
  for (const [path, digest] of Object.entries(hashTable)) {
    const response = await fetch(`http://127.0.0.1:${port}${path}?ngsw-cache-bust=1`);
    assert.equal(response.status, 200, `GET ${path} is ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(createHash('sha1').update(bytes).digest('hex'), digest, `${path} is another file`);
  }
  const types = {
    '/ngsw.json': 'application/json',
    '/ngsw-worker.js': 'text/javascript',
    '/safety-worker.js': 'text/javascript',
    '/manifest.webmanifest': 'application/manifest+json',
    [CONFIG]: 'application/json',
  };
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await get(port, path);
    assert.equal(status, 200, `GET ${path} is ${status}`);
    assert.equal(headers['content-type'].split(';')[0], type, path);
    assert.match(headers['cache-control'], /max-age=0, must-revalidate/, path);
    assert.equal((await get(port, path, { 'If-None-Match': headers.etag })).status, 304, path);
  }
}

async function checkInBrowser(browser, port, stop) {
  const origin = `http://127.0.0.1:${port}`;
  const home = await visitFirst(browser, `${origin}/`);
  await click(home.page, '0 clicks', '1 clicks');
  assert.deepEqual(home.problems, []);
  await home.context.close();

  const product = await visitFirst(browser, `${origin}/catalog/7`);
  await click(product.page, '0 ordered', '1 ordered');
  await product.page.waitForFunction(isHeldByWorker);
  const again = await visit(product.context, `${origin}/`);
  assert.equal(again.response.fromServiceWorker(), true);
  await click(again.page, '0 clicks', '1 clicks');
  assert.deepEqual([...product.problems, ...again.problems], []);

  await stop();
  const offline = await visit(product.context, `${origin}/catalog/8`);
  assert.equal(offline.response.fromServiceWorker(), true);
  await click(offline.page, '0 ordered', '1 ordered');
}

/** A visit with nothing held from before: the server has sent the page, and what the page has fetched. */
async function visitFirst(browser, url) {
  const context = await browser.newContext();
  const visited = await visit(context, url);
  assert.equal(visited.response.fromServiceWorker(), false);
  assert.ok(visited.isHydrated, `${url} was built again in the browser`);
  assert.ok(!visited.asked.includes(CONFIG), `${url} has asked for ${CONFIG} again`);
  return { context, ...visited };
}

/** In the page: whether the service worker holds every file that it is to hold from the start. */
async function isHeldByWorker() {
  const { assetGroups } = await fetch('/ngsw.json').then((response) => response.json());
  const paths = assetGroups.find(({ name }) => name === 'app').urls;
  const held = await Promise.all(paths.map((path) => caches.match(path, { ignoreVary: true })));
  return held.every((response) => response !== undefined);
}

async function click(page, before, after) {
  await page.getByRole('button', { name: before }).click();
  await page.getByRole('button', { name: after }).waitFor();
}

function versionOf(workspace) {
  const path = join(workspace, 'node_modules/@angular/core/package.json');
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

/** What a person declares who has a page that cannot be prerendered. */
function declareServerRoutes(workspace) {
  const path = join(workspace, 'src/app/app.routes.server.ts');
  const stock = readFileSync(path, 'utf8');
  const own = stock.replace(
    /\[\s*\{/,
    `[{ path: 'catalog/:id', renderMode: RenderMode.Server }, {`,
  );
  assert.notEqual(own, stock);
  writeFileSync(path, own);
}
