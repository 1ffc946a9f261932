import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { freePort } from '../../free-port.ts';
import { run, serve } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { checkServer } from '../http-checks.mjs';
import { checkAsUsersDo } from '../user-checks.mjs';
import { childEnv, copyWorkspace, digestOf, programOf } from '../workspace.mjs';

const PACKAGES = {
  compression: '1',
  'express-session': '1',
  helmet: '8',
  'http-proxy-middleware': '3',
  morgan: '1',
};
const TYPES = { '@types/compression': '1', '@types/express-session': '1', '@types/morgan': '1' };

const IMPORTS = `import compression from 'compression';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import morgan from 'morgan';
`;

const IN_FRONT = `
app.set('trust proxy', 1);
app.use(morgan('short'));
app.use(
  helmet({
    contentSecurityPolicy: {
      directives: {
        'script-src': ["'self'", "'unsafe-inline'"],
        'script-src-attr': ["'unsafe-inline'"],
      },
    },
  }),
);
app.use(compression());
app.use(
  session({
    secret: process.env['SESSION_SECRET'] ?? 'not a secret',
    resave: false,
    saveUninitialized: true,
  }),
);
// In front of the body parsers: the backend reads the body itself.
const target = process.env['BACKEND'] ?? 'http://127.0.0.1:8080';
app.use('/backend', createProxyMiddleware({ target, changeOrigin: true }));
app.use(express.json());

app.get('/api/time', (_req, res) => {
  res.json({ now: Date.now() });
});
app.get('/api/list', (_req, res) => {
  res.json(Array.from({ length: 500 }, (_, id) => ({ id, name: \`Item \${id}\` })));
});
app.post('/api/echo', (req, res) => {
  res.json({ body: req.body, session: req.sessionID });
});
app.get('/api/fails', () => {
  throw new Error('the route has failed');
});
app.get('/api/rejects', async () => {
  await Promise.reject(new Error('the route has rejected'));
});
`;

const BEHIND = `app.use((req, res) => {
  res.status(404).json({ nothing: req.originalUrl });
});
app.use(
  (
    error: Error & { status?: number },
    req: express.Request,
    res: express.Response,
    next: express.NextFunction,
  ) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    res.status(error.status ?? 500).json({ path: req.originalUrl, error: error.message });
  },
);

`;

const ROUTES = `  { path: 'about', component: Long },
  { path: 'stored/:id', component: Long },
  { path: 'account/:id', component: Long },
  { path: 'broken/:id', component: Broken },
`;

const IMPORTED_PAGES = `import { Broken } from './broken';
import { Long } from './long';
`;

const LONG = `import { Component } from '@angular/core';

@Component({
  selector: 'app-long',
  template: '<h1>Long</h1>@for (line of lines; track line) {<p>Line {{ line }}</p>}',
})
export class Long {
  readonly lines = Array.from({ length: 200 }, (_, index) => index);
}
`;

const BROKEN = `import { Component } from '@angular/core';

@Component({ selector: 'app-broken', template: '' })
export class Broken {
  constructor() {
    throw new Error('the page has failed');
  }
}
`;

const SERVER_ROUTES = `import { RenderMode, ServerRoute } from '@angular/ssr';

export const serverRoutes: ServerRoute[] = [
  {
    path: 'stored/:id',
    renderMode: RenderMode.Server,
    headers: { 'Cache-Control': 's-maxage=600' },
  },
  { path: 'account/:id', renderMode: RenderMode.Server },
  { path: 'broken/:id', renderMode: RenderMode.Server },
  { path: 'item/:id', renderMode: RenderMode.Server },
  { path: '**', renderMode: RenderMode.Prerender },
];
`;

/**
 * An Express server as people have it, with security headers, encoding, sessions, a proxy, routes and error
 * handlers: `ng add` refuses, and names the command that keeps them.
 *
 * @param isWhole - Whether Prettier and the linter look at it too, and Angular's own server is built again.
 */
export async function checkApplication({ starts, place, isWhole, check }) {
  const workspace = join(place, 'own-server');
  const serverFile = join(workspace, 'src/server.ts');
  const read = (path) => readFileSync(join(workspace, path), 'utf8');
  const ng = (args, mayFail = false) =>
    run(programOf(workspace, 'ng'), args, { cwd: workspace, env: childEnv, mayFail });
  await copyWorkspace(await starts['with SSR'](), workspace);
  writePages(workspace);
  await installMiddleware(workspace);
  const own = ownServer(read('src/server.ts'));
  writeFileSync(serverFile, own);
  const backend = await startBackend();

  try {
    await check('an own Express server: ng add refuses, and says how to keep it', async () => {
      const before = digestOf(join(workspace, 'src'));
      const { code, output } = await ng(['add', '@ng-ssr/express', '--skip-confirmation'], true);
      assert.notEqual(code, 0);
      assert.match(output, /NG_SSR_SERVER_FILE_CHANGED/);
      assert.match(output, /import { appEngine, ssrMiddleware } from '@ng-ssr\/express';/);
      assert.match(output, /const ssr = ssrMiddleware\(\{ engine: appEngine\(\), /);
      assert.match(output, /app\.use\(ssr\);/);
      assert.match(output, /ng generate @ng-ssr\/express:middleware/);
      assert.match(output, /@ng-ssr\/express stays installed/);
      assert.equal(digestOf(join(workspace, 'src')), before);
    });
    const isInserted = await check(
      'an own Express server: ng generate middleware keeps all of it',
      async () => {
        // As after a `git checkout` of what the refusal has left: installed, and not in package.json.
        const manifest = JSON.parse(read('package.json'));
        delete manifest.dependencies['@ng-ssr/express'];
        writeFileSync(join(workspace, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
        const dry = await ng(['generate', '@ng-ssr/express:middleware', '--dry-run']);
        assert.match(dry.output, /\+ app\.use\(ssr\);/);
        assert.match(dry.output, /- const angularApp = new AngularNodeAppEngine\(\);/);
        assert.equal(read('src/server.ts'), own);

        await ng(['generate', '@ng-ssr/express:middleware']);
        assert.ok(JSON.parse(read('package.json')).dependencies['@ng-ssr/express']);
        const inserted = read('src/server.ts');
        assert.match(inserted, /^  shutDownOnSignals\(httpServer, ssr\);$/m);
        for (const kept of [IN_FRONT, BEHIND]) assert.ok(inserted.includes(kept), inserted);
      },
    );
    if (!isInserted) return;
    if (isWhole) {
      const title = 'an own Express server';
      await checkAsUsersDo(workspace, ['prettier', 'lint'], { title, check });
    }
    const isBuilt = await check('an own Express server: ng build, pages served', async () => {
      await ng(['build']);
      await checkServer(workspace, SERVER, {
        hasAddon: true,
        extraEnv: { BACKEND: backend.origin },
      });
    });
    if (isBuilt) {
      await check('an own Express server: its middleware, over HTTP', () =>
        withServer(workspace, backend, checkMiddleware),
      );
    }
    await check('an own Express server: ng generate remove puts back what was there', async () => {
      await ng(['generate', '@ng-ssr/express:remove']);
      assert.equal(read('src/server.ts'), own);
      assert.equal(JSON.parse(read('package.json')).dependencies['@ng-ssr/express'], undefined);
      if (!isWhole) return;
      await ng(['build']);
      // Angular's own server renders for no host that it is not given.
      const hosts = { NG_ALLOWED_HOSTS: '127.0.0.1' };
      const checkPage = async (ask) =>
        assert.match((await ask('/account/7')).text, /<h1>Long<\/h1>/);
      await withServer(workspace, backend, checkPage, hosts);
    });
  } finally {
    await backend.close();
  }
}

async function installMiddleware(workspace) {
  const path = join(workspace, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  Object.assign(manifest.dependencies, PACKAGES);
  Object.assign(manifest.devDependencies, TYPES);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  await run('npm', ['install'], { cwd: workspace, env: childEnv });
}

/** The stock server with what people add to it. */
function ownServer(stock) {
  const withImports = stock.replace("import express from 'express';\n", IMPORTS);
  const inFront = withImports.replace(/^const angularApp .*\n/m, (line) => line + IN_FRONT);
  const own = inFront.replace(/(?=^\/\*\*\n \* Start the server)/m, BEHIND);
  assert.ok([stock, withImports, inFront].every((text) => text !== own));
  return own;
}

function writePages(workspace) {
  const app = join(workspace, 'src/app');
  const path = join(app, 'app.routes.ts');
  const routes = readFileSync(path, 'utf8')
    .replace(/(?=^import { Routes })/m, IMPORTED_PAGES)
    .replace(/^(export const routes: Routes = \[\n)/m, `$1${ROUTES}`);
  writeFileSync(path, routes);
  writeFileSync(join(app, 'broken.ts'), BROKEN);
  writeFileSync(join(app, 'long.ts'), LONG);
  writeFileSync(join(app, 'app.routes.server.ts'), SERVER_ROUTES);
}

/** The server behind the proxy: it says what it was asked. */
async function startBackend() {
  const server = createServer(async (incoming, response) => {
    const { method, url } = incoming;
    let body = '';
    for await (const part of incoming.setEncoding('utf8')) body += part;
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ method, url, body }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function withServer(workspace, { origin }, action, extraEnv = {}) {
  const port = await freePort();
  const env = { ...childEnv, PORT: String(port), BACKEND: origin, ...extraEnv };
  const ready = /listening on http/;
  const server = await serve(process.execPath, [SERVER], { cwd: workspace, env, ready });
  try {
    await action((path, headers, sent) => exchange(port, path, headers, sent), server.output);
  } finally {
    await server.stop();
  }
}

/** A request whose answer is read as it came. */
function exchange(port, path, headers = {}, sent = undefined) {
  const method = sent === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const options = { port, path, host: '127.0.0.1', method, headers, timeout: 20_000 };
    const outgoing = request(options, async (response) => {
      const body = Buffer.concat(await response.toArray());
      const { statusCode: status, headers } = response;
      resolve({ status, headers, body, text: body.toString() });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${path}`)));
    outgoing.on('error', reject).end(sent);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const cookieOf = ({ headers }) => headers['set-cookie']?.[0]?.split(';')[0];

async function checkMiddleware(ask, output) {
  await checkSecurityHeaders(ask);
  await checkSessions(ask);
  await checkEncodings(ask);
  await checkRoutes(ask);
  await checkErrors(ask);
  assert.equal((await ask('/account/7', { Host: 'evil.example' })).status, 400);
  // The log has the bytes of a hit too.
  assert.match(output(), /"?GET \/ HTTP\/1\.1"? 200 \d+ - /);
}

async function checkSecurityHeaders(ask) {
  const script = /<script src="([^"]+)"/.exec((await ask('/')).text)[1];
  for (const path of ['/', `/${script}`, '/stored/1', '/stored/1', '/account/1', '/api/time']) {
    const { headers } = await ask(path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.match(headers['content-security-policy'], /script-src 'self' 'unsafe-inline'/, path);
    assert.ok(headers['strict-transport-security'], path);
    assert.equal(headers['x-powered-by'], undefined, path);
  }
}

/** Each visitor has a cookie of their own, on pages that are shared too, and is given it once. */
async function checkSessions(ask) {
  for (const path of ['/about', '/stored/2', '/account/2']) {
    const visits = await Promise.all([ask(path), ask(path)]);
    visits.push(await ask(path));
    const cookies = visits.map(cookieOf);
    assert.ok(
      cookies.every((cookie) => /^connect\.sid=/.test(cookie)),
      `${path}: ${cookies}`,
    );
    assert.equal(new Set(cookies).size, 3, `${path}: ${cookies}`);
    const again = await ask(path, { Cookie: cookies[0] });
    assert.equal(cookieOf(again), undefined, path);
    assert.match(again.text, /<h1>Long<\/h1>/);
  }
  assert.match((await ask('/')).headers['cache-status'], /hit/);
  assert.match((await ask('/stored/2')).headers['cache-status'], /hit/);
  assert.doesNotMatch((await ask('/account/2')).headers['cache-status'] ?? '', /hit/);
  const first = await ask('/');
  const echo = await ask('/api/echo', { Cookie: cookieOf(first), ...JSON_TYPE }, '{}');
  assert.ok(decodeURIComponent(cookieOf(first)).includes(JSON.parse(echo.text).session));
}

/** What is encoded is encoded once, by the server or by `compression`, and has a tag of its own. */
async function checkEncodings(ask) {
  const script = `/${/<script src="([^"]+)"/.exec((await ask('/')).text)[1]}`;
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync };
  for (const path of ['/about', script, '/stored/3', '/account/3', '/api/list']) {
    const plain = await ask(path);
    assert.equal(plain.headers['content-encoding'], undefined, path);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const encoded = await askEncoded(ask, path, encoding);
      assert.equal(encoded.headers['content-encoding'], encoding, path);
      assert.match(encoded.headers.vary, /accept-encoding/i, path);
      assert.equal(decode(encoded.body).toString(), plain.text, path);
      const { etag } = encoded.headers;
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': etag };
      const unchanged = await ask(path, headers);
      assert.equal(unchanged.status, 304, `${path} ${encoding} ${etag}`);
      assert.equal(unchanged.body.length, 0, path);
    }
  }
  const page = await ask('/about', { 'Accept-Encoding': 'gzip' });
  assert.notEqual(page.headers.etag, (await ask('/about')).headers.etag);
}

/** Until the server has encoded what it holds, `compression` does it, and the tag is weak. */
async function askEncoded(ask, path, encoding) {
  for (let round = 0; ; round++) {
    const encoded = await ask(path, { 'Accept-Encoding': encoding });
    const isHit = /hit/.test(encoded.headers['cache-status']);
    if (!isHit || !encoded.headers.etag.startsWith('W/') || round === 100) return encoded;
    await wait(100);
  }
}

async function checkRoutes(ask) {
  const sent = JSON.stringify({ name: 'Ada' });
  const echo = await ask('/api/echo', JSON_TYPE, sent);
  assert.deepEqual(JSON.parse(echo.text).body, { name: 'Ada' });
  const proxied = await ask('/backend/orders?page=2', JSON_TYPE, sent);
  assert.equal(proxied.status, 201);
  assert.deepEqual(JSON.parse(proxied.text), {
    method: 'POST',
    url: '/orders?page=2',
    body: sent,
  });
}

/** Errors of routes, of middleware and of pages come to the user's handler, and so do paths without a page. */
async function checkErrors(ask) {
  const failures = {
    '/api/fails': 'the route has failed',
    '/api/rejects': 'the route has rejected',
    '/broken/7': 'GET /broken/7 failed',
  };
  for (const [path, error] of Object.entries(failures)) {
    const { status, text } = await ask(path);
    assert.equal(status, 500, `${path}: ${text}`);
    assert.deepEqual(JSON.parse(text), { path, error });
  }
  const refused = await ask('/api/echo', JSON_TYPE, '{');
  assert.equal(refused.status, 400);
  assert.equal(JSON.parse(refused.text).path, '/api/echo');
  const missing = await ask('/no/such/page');
  assert.equal(missing.status, 404);
  assert.deepEqual(JSON.parse(missing.text), { nothing: '/no/such/page' });
}
