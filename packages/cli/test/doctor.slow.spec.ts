import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { diagnose, type Examination } from '../dist/doctor/diagnose.js';
import { toReport } from '../dist/doctor/print-report.js';
import { colorsFor } from '../dist/terminal/colors.js';
import { makeRoot, manifest, MIDDLEWARE, type Variant, writeSite } from './doctor-site.ts';

const GOLDEN = join(import.meta.dirname, 'golden/doctor');
const PRODUCTION = { PATH: process.env['PATH'], NODE_ENV: 'production' };
const EXAMINATION: Examination = {
  ...{ outputPath: 'dist/shop', project: undefined, server: undefined, browser: undefined },
  ...{ start: true, render: undefined, withinMs: 60_000 },
};
const TOKEN = createHash('sha256').update('a token of a test').digest('base64url');

let root: string;
beforeAll(async () => {
  root = await makeRoot();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A case: the variant, and where the doctor runs. */
interface Case extends Variant {
  readonly env?: Readonly<Record<string, string>>;
  readonly examination?: Partial<Examination>;
  /** Files of the machine, such as those of its cgroup. */
  readonly machine?: Readonly<Record<string, string>>;
}

const CASES: Readonly<Record<string, Case>> = {
  'nothing to find': {},
  'server missing': { files: { 'dist/shop/server/server.mjs': undefined } },
  'server does not start': { before: 'throw new Error("DATABASE_URL is not set");' },
  'server hangs': {
    before: 'setInterval(() => undefined, 1000); await new Promise(() => undefined);',
    examination: { withinMs: 300 },
  },
  'server does not listen': {
    after: 'setInterval(() => undefined, 1000); await new Promise(() => undefined);',
    examination: { withinMs: 15_000 },
  },
  'another server': { files: { 'dist/shop/server/server.mjs': 'console.log("hello");' } },
  'option not allowed': { options: 'render: { timeoutMs: 0 },' },
  'no hosts': { options: 'allowedHosts: [],' },
  'local hosts on a platform': {
    options: "allowedHosts: ['localhost'], trustProxyHeaders: ['x-forwarded-proto'],",
    env: { FLY_APP_NAME: 'shop' },
  },
  'local hosts in production': {
    options: "allowedHosts: ['localhost:4000', '127.0.0.1', '[::1]'],",
  },
  'local hosts in development': {
    options: "allowedHosts: ['localhost'],",
    env: { NODE_ENV: 'development' },
  },
  'hosts asked': { options: 'allowedHosts: () => true,' },
  'slots behind scripts': {
    options: 'features: [calls, withSlots({ cart: { fill: () => 1, timeoutMs: 700 } })],',
    files: {
      'dist/shop/browser/index.csr.html':
        '<script src="polyfills.js" type="module"></script><script src="main.js" type="module"></script>',
    },
  },
  'slots of no route': {
    before: `const routes = ['/', '/products/*'];
      engine.constantPages = async () => ({ routes, pages: [], find: () => undefined });`,
    options: `features: [calls, withSlots({ cart: { routes: ['/', '/product/*'], fill: () => 1 } })],
      routeRules: { '/prices': { sMaxAge: 60 } },`,
  },
  'slots in caches of browsers': {
    options: `features: [calls, withSlots({ cart: { fill: () => 1 }, other: { routes: ['/b'], fill: () => 1 } })],
      routeRules: { '/**': { sMaxAge: 60, maxAge: 60 } },`,
    examination: { render: '/product/1' },
  },
  'slots from an endpoint': {
    options: `features: [calls, withSlots({ cart: { fill: () => 1 } }, { endpoint: '/_slots' })],
      routeRules: { '/**': { sMaxAge: 60, maxAge: 60 } },`,
    examination: { render: '/product/1' },
  },
  'any host': { options: "allowedHosts: ['*']," },
  'proxy not trusted': { env: { RENDER: 'true', RENDER_EXTERNAL_HOSTNAME: 'shop.onrender.com' } },
  'all proxy headers': { options: 'trustProxyHeaders: true,' },
  'no probes in Kubernetes': {
    options: "trustProxyHeaders: ['x-forwarded-proto'], cache: false,",
    env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
  },
  'no probes in a container': { machine: { '.dockerenv': '' } },
  'memory limit': { machine: { 'sys/fs/cgroup/memory.max': String(256 * 1024 * 1024) } },
  'memory limit with workers, cgroup 1': {
    options: 'features: [calls, withRenderThreads({ threads: 2, maxHeapBytes: 1_048_576_000 })],',
    machine: { 'sys/fs/cgroup/memory/memory.limit_in_bytes': String(1024 * 1024 * 1024) },
  },
  'CPU quota': {
    options: 'features: [calls, withRenderThreads({ threads: 3 })],',
    machine: { 'sys/fs/cgroup/cpu.max': '150000 100000' },
  },
  'CPU quota with threads, cgroup 1': {
    options: 'features: [calls, withServerThreads({ threads: 4 })],',
    machine: {
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    },
  },
  'not production': { env: { NODE_ENV: '' } },
  'error details': { options: 'errorDetails: true,' },
  'no source maps': { files: { 'dist/shop/server/server.mjs.map': undefined } },
  'public source maps': { files: { 'dist/shop/browser/main-5INURTSO.js.map': '{}' } },
  'no policy': {
    after: "server.use((_, res, next) => (res.removeHeader('Content-Security-Policy'), next()));",
  },
  'not packed': { files: { 'dist/shop/ng-ssr': undefined } },
  'stale pack': { files: { 'dist/shop/browser/main-5INURTSO.js': 'export const words = "";' } },
  'large pages': { options: 'files: { maxFileBytes: 2000 },' },
  'too many files': { options: 'files: { maxBytes: 4000 },' },
  'versions of ng-ssr': {
    files: { 'node_modules/@ng-ssr/node/package.json': manifest('@ng-ssr/node', '0.2.0', '>=20') },
  },
  'versions of Angular': {
    files: {
      'node_modules/@angular/common/package.json': manifest('@angular/common', '22.1.9', '>=20'),
    },
  },
  'Angular CLI of another major version': {
    files: { 'node_modules/@angular/ssr/package.json': manifest('@angular/ssr', '21.0.1', '>=20') },
  },
  'a build of an earlier minor version': {
    files: {
      'node_modules/@angular/build/package.json': manifest('@angular/build', '22.1.0', '>=20'),
    },
  },
  'Node too old': {
    files: {
      'node_modules/@angular/core/package.json': manifest(
        '@angular/core',
        '22.2.0',
        '^96.1.0 || ^97.3.0 || >=98.0.0',
      ),
    },
  },
  'private parts of Angular': {
    before:
      "console.error('ng-ssr: NG_SSR_ANGULAR_CHANGED: this version of Angular has no R3Injector#records: failOnError has no effect. Update @ng-ssr/engines.');",
  },
  'Angular that is not tested': {
    before:
      "console.error('ng-ssr: NG_SSR_ANGULAR_UNTESTED: this version of ng-ssr is not tested with Angular 22.3.0 (tested: 22.2.0).');",
  },
  'weak token': {
    options: `features: [calls, withPurgeEndpoint({ path: '/purge', token: process.env.TOKEN })],`,
    env: { TOKEN: 'aaaaaaaabbbbbbbb' },
  },
  'inspector with a weak token in source': {
    options: "features: [calls, withInspector({ token: 'operator-operator' })],",
  },
  'token in source': {
    options: `features: [calls, withPurgeEndpoint({ path: '/purge', token: '${TOKEN}' })],`,
  },
  'processes without store': { options: 'probes: {},', env: { NODE_APP_INSTANCE: '0' } },
  'store for one process': {
    before: `const done = async () => undefined;
const store = { open: done, version: done, get: done, set: done, delete: done, purge: done, lease: done, close: done };`,
    options: 'features: [calls, withSharedStore(store)],',
  },
  'secret in publicConfig': {
    options:
      "features: [calls, withPublicConfig({ apiUrl: 'https://api.example', apiSecret: 'x'.repeat(40) })],",
  },
  'no calls': { options: 'features: [],' },
  'calls without timeout': {
    options:
      "features: [withCalls({ '/api/**': { inProcess: true }, '**': { timeoutMs: 3000 } })],",
  },
  'locales of a build with one': {
    before: 'engine.locales = () => ({});',
    options: "features: [calls, withLocales({ by: ['path'] })],",
  },
  'builds without earlier ones': {
    options: "features: [calls, withOldBuilds({ folder: '/nowhere/builds' })],",
  },
  'folders of builds missing': {
    options: "features: [calls, withOldBuilds({ previous: ['/nowhere/1/browser'] })],",
  },
  'small thread pool': { env: { UV_THREADPOOL_SIZE: '1' } },
  'compression before': {
    before: `import compression from '${MIDDLEWARE.compression}';`,
    after: 'server.use(compression());',
  },
  'helmet before': {
    before: `import helmet from '${MIDDLEWARE.helmet}';`,
    after: 'server.use(helmet());',
  },
  'headers of helmet declared': {
    options:
      "features: [calls, withHeaders({ 'X-DNS-Prefetch-Control': 'off', 'X-Permitted-Cross-Domain-Policies': 'none' })],",
  },
  'static files before': {
    before: `import serveStatic from '${MIDDLEWARE.serveStatic}';`,
    after: "server.use(serveStatic('dist/shop/browser'));",
  },
  'unknown paths before': {
    after: "server.use((_request, response) => response.writeHead(404).end('no'));",
  },
  'middleware without next': {
    after: 'server.use(async () => {});',
    examination: { withinMs: 6000 },
  },
  'page fails': {
    options: "engine: async () => { throw new Error('no API here'); },",
    examination: { render: '/product/1' },
  },
  'application cannot be loaded': {
    options:
      "engine: Object.assign(engine, { load: async () => { throw new Error('window is not defined'); } }),",
  },
};

test.concurrent.for(Object.entries(CASES))('%s', async ([name, given], { expect }) => {
  const { env, examination, machine = { none: '' }, ...variant } = given;
  const files = { ...variant.files, ...below('machine', machine) };
  const workspace = writeSite(root, { ...variant, files });
  const diagnosis = await diagnose(
    { ...EXAMINATION, ...examination },
    { cwd: workspace, env: { ...PRODUCTION, ...env }, root: join(workspace, 'machine') },
  );
  const report = toReport(diagnosis, colorsFor({}))
    .replaceAll(workspace, '<workspace>')
    .replaceAll(process.versions.node, '<version>');
  await expect(report).toMatchFileSnapshot(join(GOLDEN, `${name.replaceAll(/\W+/g, '-')}.txt`));
});

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [join(folder, path), content]),
  );
}
