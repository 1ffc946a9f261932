import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Manifest {
  readonly engines?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = (name: string): Manifest =>
  JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
const peer = (name: string, of: string): string | undefined =>
  manifest(name).peerDependencies?.[of];
/** `@ng-ssr/fetch` imports no framework: `ng add` chooses their versions. */
const added = (name: string): string | undefined =>
  new RegExp(`\\b${name}: '([^']+)'`).exec(
    read('packages/schematics/src/adapters/fetch.ts').replaceAll(/^.*title.*$/gm, ''),
  )?.[1];

/** The ranges of docs/versions.md, by the first column without what stands behind a comma. */
const ranges = Object.fromEntries(
  [...read('docs/versions.md').matchAll(/^\| ([^|,]+?)(?:,[^|]*)?\s*\| `(.+)`\s*\|$/gm)].map(
    ([, name, range]) => [name!.replaceAll('`', ''), range!.replaceAll('\\|', '|')],
  ),
);

test('docs/versions.md has the ranges of the packages', () => {
  expect(ranges).toEqual({
    Angular: peer('engines', '@angular/core'),
    'Node.js': manifest('core').engines?.['node'],
    Express: peer('express', 'express'),
    Fastify: peer('fastify', 'fastify'),
    Koa: peer('koa', 'koa'),
    '@koa/router': peer('koa', '@koa/router'),
    Hono: added('hono'),
    h3: added('h3'),
    Elysia: added('elysia'),
    'prom-client': peer('node', 'prom-client'),
    'OpenTelemetry API': peer('node', '@opentelemetry/api'),
  });
  expect(Object.values(ranges)).not.toContain(undefined);
});

test('docs/versions.md names the versions of Node that CI runs', () => {
  const [, versions] = /node: \[(.+)\]/.exec(read('.github/workflows/ci.yml'))!;
  const [last, ...others] = versions!.split(', ').toReversed();
  expect(read('docs/versions.md')).toContain(
    `CI runs Node ${others.toReversed().join(', ')} and ${last} `,
  );
});
