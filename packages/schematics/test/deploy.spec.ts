import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { deployTargets } from '../dist/deploy/targets.js';
import { describeChanges, filesOf } from './changes.ts';
import { filesShownIn, fileShownIn, showIn } from './deploy-page.ts';
import { expectGolden } from './golden.ts';
import { starts } from './starts.ts';
import { copyOf, editJson, newApplication, type PackageJson, runnerOf, save } from './workspace.ts';

const servers: Record<string, UnitTestTree> = {};

async function added(adapter: string, start = 'fresh with SSR'): Promise<UnitTestTree> {
  const { create, options } = starts[start]!;
  const framework = adapter === 'fetch' ? { framework: 'hono' } : {};
  const tree = await create(adapter);
  return runnerOf(adapter).runSchematic('ng-add', { ...options, ...framework }, tree);
}

async function deploy(adapter: string, tree: UnitTestTree, target: string, options: object = {}) {
  const runner = runnerOf(adapter);
  const said: string[] = [];
  runner.logger.subscribe(({ message }) => said.push(message));
  const before = filesOf(tree);
  const after = await runner.runSchematic('deploy', { target, ...options }, tree);
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
    expect(again.changes).toMatch(/^== says\n.*: the files are there; nothing was changed\.\n$/);
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
    `target is "${target}", which takes (Request) => Response; @ng-ssr/koa has a listener of node:http. (NG_SSR_OPTION_INVALID)`,
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
    ['pnpm-lock.yaml', ['.npmrc'], 'COPY package.json pnpm-lock.yaml .npmrc ./\nRUN corepack'],
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
    expect(changes).toContain('Give the server in src/server.ts the option probes: {');
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
      'Dockerfile is there already, and differs: ng generate @ng-ssr/koa:deploy docker --overwrite replaces what is there. (NG_SSR_FILE_EXISTS)',
    );
  });

  test('are replaced with --overwrite', async () => {
    const { after } = await deploy('koa', before(), 'docker', { overwrite: true });
    expect(after.readText('/Dockerfile')).toContain('FROM node:');
  });
});
