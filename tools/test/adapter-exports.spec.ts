import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as core from '@ng-ssr/core';
import * as opentelemetry from '@ng-ssr/core/opentelemetry';
import * as prometheus from '@ng-ssr/core/prometheus';
import * as bridge from '@ng-ssr/node/adapter';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const adapters = ['node', 'koa', 'fastify', 'express', 'fetch'];
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-adapter-exports-'));

// As pnpm lays packages out: a program finds those that it depends on itself, and no other.
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@ng-ssr'), { recursive: true });
  for (const name of adapters) {
    symlinkSync(join(root, 'packages', name), join(folder, 'node_modules/@ng-ssr', name), 'dir');
  }
  writeFileSync(
    join(folder, 'resolve.mjs'),
    `const resolved = process.argv.slice(2).map((module) => {
      try {
        return import.meta.resolve(module);
      } catch ({ code }) {
        return code;
      }
    });
    console.log(JSON.stringify(resolved));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the modules resolve to in a program that depends on the adapters alone: URLs, or error codes. */
function resolveStrictly(modules: readonly string[]): string[] {
  const program = join(folder, 'resolve.mjs');
  return JSON.parse(execFileSync(process.execPath, [program, ...modules], { encoding: 'utf8' }));
}

test.each(adapters)('@ng-ssr/%s exports what core has for users', async (adapter) => {
  const modules = ['server', 'prometheus', 'opentelemetry'];
  const urls = resolveStrictly(modules.map((module) => `@ng-ssr/${adapter}/${module}`));
  const [server, ...telemetry] = await Promise.all(urls.map((url) => import(url)));
  expect(Object.keys(core)).toContain('SsrError');
  // On Node these bring what calls the routes of the server.
  const { withCalls, withSlots } = adapter === 'fetch' ? core : bridge;
  expect(server).toMatchObject({ ...core, withCalls, withSlots });
  expect(telemetry).toEqual([prometheus, opentelemetry]);
});

test.each(adapters)('@ng-ssr/%s has the command ng-ssr', (adapter) => {
  const place = join(folder, 'node_modules/@ng-ssr', adapter);
  const { bin, dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toContain('@ng-ssr/core');
  const args = [join(place, bin['ng-ssr']), '--help'];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(/^Usage: ng-ssr /);
});

test('a program that depends on an adapter alone cannot import core', () => {
  const modules = ['@ng-ssr/core', '@ng-ssr/core/prometheus'];
  expect(resolveStrictly(modules)).toEqual(modules.map(() => 'ERR_MODULE_NOT_FOUND'));
});
