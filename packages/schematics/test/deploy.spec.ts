import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { deployTargets } from '../dist/deploy/targets.js';
import { describeChanges, filesOf } from './changes.ts';
import { added, deployTo, editServer } from './deployed.ts';
import { filesShownIn, fileShownIn, showIn } from './deploy-page.ts';
import { expectGolden } from './golden.ts';
import {
  copyOf,
  editBuild,
  editJson,
  newApplication,
  type PackageJson,
  runnerOf,
  save,
} from './workspace.ts';

const servers: Record<string, UnitTestTree> = {};

async function deploy(adapter: string, tree: UnitTestTree, target: string, options: object = {}) {
  const before = filesOf(tree);
  const { after, said } = await deployTo(target, adapter, tree, options);
  return { after, changes: describeChanges(before, filesOf(after), said) };
}

beforeAll(async () => {
  servers['koa'] = await added('koa');
  servers['koa']!.create('/package-lock.json', '{}');
  servers['fetch'] = await added('fetch');
});

/** Targets whose functions are `(Request) => Response`. */
const OF_FETCH = ['netlify', 'workers'];
const adapterOf = (target: string): string => (OF_FETCH.includes(target) ? 'fetch' : 'koa');

describe.each(Object.keys(deployTargets))('ng generate deploy %s', (target) => {
  test('does what the golden says, and nothing the second time', async () => {
    const adapter = adapterOf(target);
    const { after, changes } = await deploy(adapter, copyOf(servers[adapter]!), target);
    expectGolden(`deploy/${target}`, changes);
    const again = await deploy(adapter, after, target);
    expect(again.changes).toMatch(
      /^== says\n.*: the files exist already; nothing was changed\.\n$/,
    );
  });
});

const IMAGE = ['Dockerfile', '.dockerignore'];

/** The one source is the generator: `npm run golden -w packages/schematics` shows what it writes. */
describe.each(Object.entries(deployTargets))('the page of %s', (target, { page }) => {
  test('shows the files that are generated', async () => {
    const shown = filesShownIn(page).map(({ adapter }) => adapter);
    const adapters = new Set([adapterOf(target), ...shown]);
    for (const adapter of adapters) {
      const start = copyOf(servers[adapter]!);
      const before = start.files;
      const { after } = await deploy(adapter, start, target);
      const written = after.files.filter((path) => !before.includes(path));
      expect(written).not.toEqual([]);
      for (const path of written.map((each) => each.slice(1))) {
        // Where the image of Docker is used, the page links to it.
        if (page !== 'docker.md' && IMAGE.includes(path)) continue;
        // Files of Vercel that all adapters have are shown once.
        if (adapter === 'fetch' && target === 'vercel' && path === 'vercel.json') continue;
        const text = after.readText(path);
        if (process.env['UPDATE_GOLDEN'] === '1') showIn(page, path, adapter, text);
        expect(fileShownIn(page, path, adapter)).toBe(text);
      }
    }
  });
});

test.each(OF_FETCH)('a listener of node:http is refused on %s', async (target) => {
  await expect(deploy('koa', copyOf(servers['koa']!), target)).rejects.toThrow(
    `target is "${target}", which needs (Request) => Response; @ng-ssr/koa has a node:http listener. (NG_SSR_OPTION_INVALID)`,
  );
});

// The schema's error would only say that "target" is missing.
test('without a target the refusal lists all of them', async () => {
  const failure = runnerOf('koa').runSchematic('deploy', {}, copyOf(servers['koa']!));
  await expect(failure).rejects.toThrow(
    `deploy needs a target, one of ${Object.keys(deployTargets).join(', ')}, as in ng generate @ng-ssr/koa:deploy docker. (NG_SSR_OPTION_INVALID)`,
  );
});

test('the files of Workers are written beside a server for the neutral platform', async () => {
  const tree = copyOf(servers['fetch']!);
  tree.overwrite(
    '/src/server.ts',
    `import { angularAppEngine, createNeutralSsrHandler } from '@ng-ssr/fetch/neutral';
export const reqHandler = createNeutralSsrHandler({ engine: angularAppEngine() });
`,
  );
  const { after } = await deploy('fetch', tree, 'workers');
  expect(after.readText('/wrangler.jsonc')).toContain('"main": "dist/shop/worker.mjs"');
});

test.each(['lambda', 'vercel'])('@ng-ssr/fetch has its own files for %s', async (target) => {
  const { changes } = await deploy('fetch', copyOf(servers['fetch']!), target);
  expectGolden(`deploy/${target} of fetch`, changes);
});

describe('package managers', () => {
  test.each([
    ['package-lock.json', [], 'COPY package.json package-lock.json ./\nRUN npm ci\n'],
    [
      'pnpm-lock.yaml',
      ['.npmrc'],
      'COPY package.json pnpm-lock.yaml ./\nRUN --mount=type=secret,id=npmrc,target=/app/.npmrc corepack',
    ],
    ['yarn.lock', [], 'yarn install --frozen-lockfile\n'],
    ['yarn.lock', ['.yarnrc.yml'], 'yarn install --immutable\n'],
    ['bun.lock', [], 'bun install --frozen-lockfile\n'],
    [undefined, [], 'COPY package.json ./\nRUN npm install\n'],
    ['pnpm-lock.yaml', ['pnpm-workspace.yaml'], 'WORKDIR /app\nCOPY . .\nRUN corepack'],
  ])('an image with %s and %j', async (lock, settings, expected) => {
    const tree = copyOf(servers['koa']!);
    tree.delete('/package-lock.json');
    for (const file of [...(lock === undefined ? [] : [lock]), ...settings]) tree.create(file, '');
    const { after } = await deploy('koa', tree, 'docker');
    expect(after.readText('/Dockerfile')).toContain(expected);
    const manager = /^(?:pnpm|yarn|bun)/.exec(lock ?? '')?.[0] ?? 'npm';
    expect(after.readText('/Dockerfile')).toContain(`RUN ${manager} run build\n`);
  });

  test('the image of an npm workspace is built at its root', async () => {
    const tree = await added('koa', 'npm workspaces');
    tree.create('/package-lock.json', '{}');
    const { after } = await deploy('koa', tree, 'docker');
    const text = after.readText('/Dockerfile');
    expect(text).toContain('COPY . .\nRUN npm ci\nRUN npx ng build\n');
    expect(text).toContain('COPY --from=build /app/dist/shop dist/shop\n');
  });

  test('one of several applications is built by its name, and has a name of its own', async () => {
    const tree = await added('koa', 'several projects');
    const { after } = await deploy('koa', tree, 'docker', { project: 'admin' });
    const text = after.readText('/Dockerfile');
    expect(text).toContain('RUN npx ng build admin\n');
    expect(text).toContain('CMD ["node", "dist/admin/server/server.mjs"]');
  });
});

describe('the option probes', () => {
  test('keeps a server.ts without changes of the user replaceable', async () => {
    const { after } = await deploy('koa', copyOf(servers['koa']!), 'docker');
    expect(after.readText('/src/server.ts')).toContain(
      "  probes: { live: '/livez', ready: '/readyz' },\n});",
    );
    save(after, 'fastify');
    const replaced = await runnerOf('fastify').runSchematic('ng-add', {}, after);
    expect(replaced.readText('/src/server.ts')).toContain('createFastifySsrServer');
  });

  test('has the paths of the server, where it has some', async () => {
    const tree = copyOf(servers['koa']!);
    const text = tree.readText('/src/server.ts');
    const own = `probes: { live: "/alive", ready: { path: '/able', check: () => true } }, engine`;
    tree.overwrite('/src/server.ts', text.replace('engine', own));
    const { after } = await deploy('koa', tree, 'k8s');
    expect(after.readText('/deploy/k8s.yaml')).toContain('httpGet: { path: /alive, port: http }');
    expect(after.readText('/deploy/k8s.yaml')).toContain('httpGet: { path: /able, port: http }');
    expect(after.readText('/src/server.ts')).toBe(tree.readText('/src/server.ts'));
  });

  test('is asked for where it has no certain place', async () => {
    const tree = copyOf(servers['koa']!);
    const text = tree.readText('/src/server.ts');
    const changed = text
      .replace('createKoaSsrServer({', 'createKoaSsrServer(options);\nconst unused = ({')
      .replace('const server', 'const options = {};\nconst server');
    tree.overwrite('/src/server.ts', changed);
    const { after, changes } = await deploy('koa', tree, 'docker');
    expect(after.readText('/src/server.ts')).toBe(changed);
    expect(changes).toContain('Add to the options of the server in src/server.ts: probes: {');
  });
});

test('an application without a server of the package is refused', async () => {
  const tree = await newApplication({ ssr: true });
  await expect(deploy('koa', tree, 'docker')).rejects.toThrow(
    'src/server.ts is not a server of @ng-ssr/koa. (NG_SSR_SERVER_MISSING)\nRun ng add @ng-ssr/koa first.',
  );
});

test('a name that systemd, Docker and Kubernetes would refuse is changed', async () => {
  const tree = copyOf(servers['koa']!);
  const text = tree.readText('/angular.json');
  tree.overwrite('/angular.json', text.replaceAll('"shop"', '"@acme/Shop_1"'));
  editJson<PackageJson>(tree, '/package.json', ({ scripts }) => delete scripts['build']);
  const { after } = await deploy('koa', tree, 'systemd');
  expect(after.files).toContain('/deploy/acme-shop-1.service');
});

describe('files of the user', () => {
  const before = (): UnitTestTree => {
    const tree = copyOf(servers['koa']!);
    tree.create('/Dockerfile', 'FROM mine\n');
    return tree;
  };

  test('are never replaced, and nothing else is written', async () => {
    await expect(deploy('koa', before(), 'docker')).rejects.toThrow(
      'Dockerfile exists already and differs: ng generate @ng-ssr/koa:deploy docker --overwrite replaces it. (NG_SSR_FILE_EXISTS)',
    );
  });

  test('are replaced with --overwrite', async () => {
    const { after } = await deploy('koa', before(), 'docker', { overwrite: true });
    expect(after.readText('/Dockerfile')).toContain('FROM node:');
  });
});

describe('what server.ts says', () => {
  /** The text of the files of a target, and what was printed, for a server with these options. */
  async function filesFor(target: string, edit: (text: string) => string) {
    const tree = copyOf(servers['koa']!);
    editServer(tree, edit);
    const before = tree.files;
    const { after, said } = await deployTo(target, 'koa', tree);
    const written = after.files.filter((path) => !before.includes(path));
    return {
      text: written.map((path) => after.readText(path)).join('\n'),
      said: said.join('\n'),
      server: after.readText('/src/server.ts'),
    };
  }
  const withOptions =
    (options: string, before = '') =>
    (text: string): string =>
      text
        .replace('const server = ', `${before}\nconst server = `)
        .replace('engine:', `${options} engine:`);
  const listening =
    (call: string, before = '') =>
    (text: string): string =>
      text
        .replace('server.listen()', call)
        .replace('const server = ', `${before}\nconst server = `);

  test('is read from its syntax tree, and not from comments and texts', async () => {
    const { text, server } = await filesFor('k8s', (source) =>
      withOptions(`/* probes: { live: '/old' } */ cache: { version: "probes: { ready: '/no' }" },`)(
        `// server.listen({ port: 9000 }) was here, without probes.\n${source}`,
      ),
    );
    expect(text).toContain('containerPort: 4000');
    expect(text).toContain('httpGet: { path: /livez, port: http }');
    expect(server).toContain("probes: { live: '/livez', ready: '/readyz' },");
  });

  test.each([
    [
      'an option of a constant',
      `probes,`,
      `const probes = { live: '/up', ready: '/go' } as const;`,
    ],
    [
      'of an object that is spread',
      `...base,`,
      `const base = { probes: { live: '/up', ready: { path: \`/go\` } } };`,
    ],
    ['the last of its name', `probes: {}, "probes": { live: '/up', ready: '/go' },`, ''],
  ])('probes that are %s are those of the files', async (_, options, before) => {
    const { text, said, server } = await filesFor('k8s', withOptions(options, before));
    expect(text).toContain('httpGet: { path: /up, port: http }');
    expect(text).toContain('httpGet: { path: /go, port: http }');
    expect(said).not.toContain('computed');
    expect(server).not.toContain('/livez');
  });

  test.each(['docker', 'k8s', 'cloud-run', 'fly'])(
    'probes that are computed are said, and %s checks the port',
    async (target) => {
      const { text, said, server } = await filesFor(
        target,
        withOptions(`probes: process.env['PROBES'] ? { live: '/up' } : undefined,`),
      );
      expect(said).toContain('The option probes in src/server.ts is computed');
      expect(text).not.toMatch(/livez|readyz|httpGet|http_service\.checks/);
      expect(text).toMatch(
        /tcpSocket: \{ port: (http|4000) \}|connect\(process\.env\.PORT|type = "tcp"/,
      );
      expect(server).not.toContain('livez');
    },
  );

  test('one of two probes is computed, or not there', async () => {
    const one = await filesFor(
      'k8s',
      withOptions(`probes: { live: '/up', ready: { path: READY } },`),
    );
    expect(one.said).toContain('The option probes.ready in src/server.ts is computed');
    expect(one.text.match(/(?<=\w+Probe:\n +)\w+/g)).toEqual(['tcpSocket', 'tcpSocket', 'httpGet']);
    const none = await filesFor('k8s', withOptions(`probes: { ready: '/go' },`));
    expect(none.said).not.toContain('computed');
    expect(none.text.match(/(?<=\w+Probe:\n +)\w+/g)).toEqual(['httpGet', 'httpGet', 'tcpSocket']);
  });

  test.each([
    [`server.listen({ port: 8080 })`, '', 8080],
    [`server.listen({ port })`, 'const port = 8_081;', 8081],
    [`server.listen({ ...base })`, 'const base = { port: 8082 };', 8082],
    [`server.listen({ port: Number(process.env['PORT'] ?? 8083) })`, '', 8083],
    [`server.listen({ host: '::' })`, `other.listen(9464); // server.listen({ port: 1 })`, 4000],
  ])('the port of %s', async (call, before, port) => {
    const { text, said } = await filesFor('k8s', listening(call, before));
    expect(text).toContain(`containerPort: ${port} }`);
    expect(said).not.toContain('The port');
  });

  test('a port that is computed is said where the files have one', async () => {
    const edit = listening('server.listen({ port: readPort() })');
    const says = 'The port in src/server.ts is computed, so the files have 4000.';
    expect((await filesFor('systemd', edit)).said).toContain(says);
    expect((await filesFor('heroku', edit)).said).not.toContain(says);
  });

  test('what is computed is said a second time, too', async () => {
    const tree = copyOf(servers['koa']!);
    editServer(tree, listening('server.listen({ port: readPort() })'));
    const { after } = await deployTo('systemd', 'koa', tree);
    const { said } = await deployTo('systemd', 'koa', after);
    expect(said.join('\n')).toMatch(/nothing was changed\.\n +The port in .* is computed/);
  });

  test("options of Fastify's plugin are read and edited as those of its server", async () => {
    const plugin = (options: string): string =>
      `import Fastify from 'fastify';
import { appEngine, ssrPlugin } from '@ng-ssr/fastify';
const app = Fastify();
await app.register(cors, { probes: { live: '/other' } });
await app.register(ssrPlugin, { ${options}engine: appEngine() });
await app.listen({ port: 3000 });
`;
    const tree = await added('fastify');
    const of = async (options: string) => {
      const own = copyOf(tree);
      editServer(own, () => plugin(options));
      return (await deployTo('k8s', 'fastify', own)).after;
    };
    const given = await of(`probes: { live: '/up', ready: '/go' }, `);
    expect(given.readText('/deploy/k8s.yaml')).toContain('httpGet: { path: /up, port: http }');
    expect(given.readText('/deploy/k8s.yaml')).toContain('containerPort: 3000');
    const edited = (await of('')).readText('/src/server.ts');
    expect(edited.replace(/\s+/g, ' ')).toContain(
      "engine: appEngine(), probes: { live: '/livez', ready: '/readyz' } });",
    );
  });

  const TOKENS = `features: [
      withInspector(),
      ...[withPurgeEndpoint({ path: '/_purge', token: process.env['PURGE_TOKEN']! })],
      withEdge(varnishEdge({ url: 'http://v', token: edgeToken })),
    ],`;
  const EDGE_TOKEN = 'const edgeToken = process.env.VARNISH_PURGE_TOKEN;';

  test('variables with tokens are said, and are in commands and files', async () => {
    const of = (target: string) => filesFor(target, withOptions(TOKENS, EDGE_TOKEN));
    const cluster = await of('cluster');
    expect(cluster.said).toContain(
      'Set NG_SSR_TOKEN, PURGE_TOKEN, VARNISH_PURGE_TOKEN where the server runs: it does not start without them.',
    );
    expect((await of('docker')).said).toContain(
      '-e NG_ALLOWED_HOSTS=localhost -e NG_SSR_TOKEN -e PURGE_TOKEN -e VARNISH_PURGE_TOKEN shop',
    );
    const systemd = await of('systemd');
    expect(systemd.text).toContain('\nEnvironmentFile=-/etc/shop.env\n');
    expect(systemd.said).toContain('NG_SSR_TOKEN= PURGE_TOKEN= VARNISH_PURGE_TOKEN=');
    const compose = await of('compose');
    expect(compose.text).toContain('      NG_SSR_TOKEN: ${NG_SSR_TOKEN:?set NG_SSR_TOKEN');
    expect(compose.text.match(/^ +PURGE_TOKEN:/gm)).toHaveLength(1);
    const k8s = await of('k8s');
    expect(k8s.text).toContain('secretKeyRef: { name: shop, key: NG_SSR_TOKEN }');
    expect(k8s.said).toContain(
      'kubectl create secret generic shop --from-literal=NG_SSR_TOKEN="$NG_SSR_TOKEN" --from-literal=PURGE_TOKEN=',
    );
    expect((await of('fly')).said).toContain('fly secrets set NG_SSR_TOKEN="$NG_SSR_TOKEN" ');
    expect((await of('heroku')).said).toContain(' NG_SSR_TOKEN="$NG_SSR_TOKEN" ');
  });

  test.each([
    [
      "features: [withInspector({ path: '/_ops' })],",
      'Set NG_SSR_TOKEN where the server runs: it does not',
    ],
    ["features: [withInspector({ token: process.env['OPS_TOKEN'] })],", 'Set OPS_TOKEN where'],
    [
      "features: [withInspector({ token: process.env['OPS_TOKEN'] ?? 'a-token-for-local-work' })],",
      undefined,
    ],
    ["features: process.env['OPS_TOKEN'] ? [withInspector()] : [],", undefined],
    ["features: [withOther({ token: process.env['OPS_TOKEN'] })],", undefined],
    ['features: [],', undefined],
  ])('of %s', async (options, expected) => {
    const { said } = await filesFor('docker', withOptions(options));
    if (expected === undefined) expect(said).not.toContain('where the server runs');
    else expect(said).toContain(expected);
  });

  const METRICS = `import { collectMetrics } from '@ng-ssr/koa/prometheus';\nimport { register } from 'prom-client';\n`;

  test('metrics are scraped, and renders scaled by, where the server has them', async () => {
    const none = await filesFor('k8s', (text) => text);
    expect(none.text).not.toMatch(/prometheus|ng_ssr_renders_queued/);
    const onPort = await filesFor('k8s', (text) =>
      listening(
        'server.listen()',
        `const metrics = createServer(async (_, response) => response.end(await register.metrics()));\nmetrics.listen(9464);`,
      )(METRICS + text),
    );
    expect(onPort.text).toContain(
      "prometheus.io/scrape: 'true'\n        prometheus.io/port: '9464'\n",
    );
    expect(onPort.text).toContain(
      '- { name: http, containerPort: 4000 }\n            - { name: metrics, containerPort: 9464 }',
    );
    expect(onPort.text).toContain('metric: { name: ng_ssr_renders_queued }');
    expect(onPort.text).toContain(fileShownIn('kubernetes.md', 'deploy/prometheus-adapter.yaml'));
    const onPath = await filesFor(
      'k8s',
      (text) =>
        `${METRICS}${text}\nserver.router.get('/_metrics', async (ctx) => { ctx.body = await register.metrics(); });\n`,
    );
    expect(onPath.text).toContain(
      "prometheus.io/port: '4000'\n        prometheus.io/path: /_metrics\n",
    );
  });
});

test.each([
  ['netlify', 'fetch', '/netlify.toml'],
  ['vercel', 'koa', '/vercel.json'],
])('a folder whose name is a pattern is included by %s as it is', async (target, adapter, file) => {
  const tree = copyOf(servers[adapter]!);
  editBuild(tree, (options) => {
    options['outputPath'] = 'dist/[shop] (1)';
  });
  const { after } = await deployTo(target, adapter, tree);
  const [pattern] = /(?<=")dist[^"]*\*\*/.exec(after.readText(file)) ?? [];
  expect(JSON.parse(`"${pattern}"`)).toBe('dist/\\[shop\\] \\(1\\)/**');
});

test('an image gets the settings of npm while it installs, and keeps none of them', async () => {
  const tree = copyOf(servers['koa']!);
  tree.create('/.npmrc', '//registry.example/:_authToken=secret');
  const start = copyOf(tree);
  const { after, said } = await deployTo('compose', 'koa', tree);
  const text = after.readText('/Dockerfile');
  expect(text).toContain('COPY package.json package-lock.json ./\n');
  expect(text).toContain('RUN --mount=type=secret,id=npmrc,target=/app/.npmrc npm ci\n');
  expect(after.readText('/.dockerignore').split('\n')).toContain('**/.npmrc');
  expect(after.readText('/compose.yaml')).toContain('build: { context: ., secrets: [npmrc] }');
  expect(after.readText('/compose.yaml')).toContain('secrets:\n  npmrc: { file: .npmrc }\n');
  const docker = await deployTo('docker', 'koa', start);
  expect(docker.said.join('\n')).toContain('docker build -t shop --secret id=npmrc,src=.npmrc .');
  expect(said.join('\n')).not.toContain('_authToken');
});

test('a health check of the port is healthy while something listens there', async () => {
  const tree = copyOf(servers['koa']!);
  editServer(tree, (text) => text.replace('engine:', 'probes: readProbes(), engine:'));
  const { after } = await deployTo('docker', 'koa', tree);
  const [, command] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(after.readText('/Dockerfile'))!;
  const [, ...args] = JSON.parse(command!) as string[];
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = async (): Promise<number | null> => {
    const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  expect(await check()).toBe(0);
  server.close();
  await once(server, 'close');
  expect(await check()).toBe(1);
});
