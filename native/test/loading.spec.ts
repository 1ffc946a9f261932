import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterAll, describe, expect, it } from 'vitest';

import { isAddonMissing, missingAddon } from './implementations.ts';

const here = new URL('../', import.meta.url);
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'ng-ssr-etag-')));
const app = join(elsewhere, 'app');
mkdirSync(app);
// A copy of the sources where no package is found from them: as a bundle on another machine.
cpSync(new URL('src', here), join(elsewhere, 'src'), { recursive: true });
writeFileSync(join(elsewhere, 'package.json'), '{ "type": "module" }');
afterAll(() => rmSync(elsewhere, { recursive: true }));

interface Loaded {
  implementation: string;
  code?: string;
  message?: string;
  tag: string;
  thrown?: { code: string; message: string };
}

/** Imports the package in a process of its own and tells what it found. */
function load(options: {
  from: URL;
  cwd?: string;
  choice?: string;
  before?: string;
  beforeUse?: string;
}): Loaded {
  const program = `
    const { log } = console;
    ${options.before ?? ''};
    try {
      const { entityTag, implementation, loadError } = await import(${JSON.stringify(options.from.href)});
      ${options.beforeUse ?? ''};
      log(JSON.stringify({
        implementation, code: loadError?.code, message: loadError?.message, tag: entityTag('page'),
      }));
    } catch ({ code, message }) {
      log(JSON.stringify({ thrown: { code, message } }));
    }`;
  const env = { ...process.env, NG_SSR_ETAG: options.choice ?? '', NODE_OPTIONS: '' };
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: options.cwd ?? elsewhere,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output) as Loaded;
}

function installAddon(source: string): void {
  const folder = join(app, 'node_modules', '@ng-ssr', 'etag');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "exports": { "./addon": "./addon.cjs" } }');
  writeFileSync(join(folder, 'addon.cjs'), source);
}

const inPlace = new URL('src/index.ts', here);
const copied = pathToFileURL(join(elsewhere, 'src', 'index.ts'));
const { tag } = load({ from: inPlace, choice: 'js' });

describe('loading', () => {
  it.skipIf(isAddonMissing)(
    `finds the addon beside the module${isAddonMissing ? ` (${missingAddon})` : ''}`,
    () => {
      expect(load({ from: inPlace })).toEqual({ implementation: 'native', tag });
      expect(load({ from: inPlace, choice: 'native' })).toEqual({ implementation: 'native', tag });
    },
  );

  it.skipIf(isAddonMissing)(
    `finds the addon from the working directory${isAddonMissing ? ` (${missingAddon})` : ''}`,
    () => {
      installAddon(
        `module.exports = require(${JSON.stringify(fileURLToPath(new URL('addon.cjs', here)))})`,
      );
      expect(load({ from: copied, cwd: app })).toEqual({ implementation: 'native', tag });
    },
  );

  it('finds the addon where packages reach their own dependencies alone, as pnpm installs', () => {
    const store = join(elsewhere, 'strict/node_modules/.pnpm');
    const put = (at: string, manifest: object, files: Record<string, string> = {}): void => {
      const folder = join(store, at);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    };
    const link = (to: string, from: string): void => {
      mkdirSync(dirname(from), { recursive: true });
      symlinkSync(to, from, 'junction');
    };
    const exports = { './package.json': './package.json', './addon': './addon.cjs' };
    put('koa/node_modules/@ng-ssr/koa', {
      name: '@ng-ssr/koa',
      exports,
      dependencies: { koa: '3.0.0', '@ng-ssr/core': '0.1.0' },
    });
    put('core/node_modules/@ng-ssr/core', {
      name: '@ng-ssr/core',
      exports,
      dependencies: { '@ng-ssr/etag': '0.1.0', '@ng-ssr/core': '0.1.0' },
    });
    const twin = `require(${JSON.stringify(fileURLToPath(new URL('src/twin-writer.ts', here)))})`;
    put(
      'etag/node_modules/@ng-ssr/etag',
      { name: '@ng-ssr/etag', exports },
      // The addon's tags, also where there is no compiler: made by its twin.
      { 'addon.cjs': `exports.entityTag = ${twin}.writeTwinTag` },
    );
    const strict = join(elsewhere, 'strict');
    link(join(store, 'koa/node_modules/@ng-ssr/koa'), join(strict, 'node_modules/@ng-ssr/koa'));
    link(
      join(store, 'core/node_modules/@ng-ssr/core'),
      join(store, 'koa/node_modules/@ng-ssr/core'),
    );
    link(
      join(store, 'etag/node_modules/@ng-ssr/etag'),
      join(store, 'core/node_modules/@ng-ssr/etag'),
    );
    const dependencies = { '@ng-ssr/koa': '0.1.0' };
    writeFileSync(join(strict, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
    // The bundle: this package's code in it, in the build folder.
    cpSync(new URL('src', here), join(strict, 'dist/app/server'), { recursive: true });
    const bundle = pathToFileURL(join(strict, 'dist/app/server/index.ts'));
    expect(load({ from: bundle, cwd: tmpdir() }).implementation).toBe('native');
    // Another bundle, started in the application's folder.
    expect(load({ from: copied, cwd: strict }).implementation).toBe('native');
  });

  it('uses the twin when asked, without an error', () => {
    expect(load({ from: inPlace, choice: 'js' })).toEqual({ implementation: 'js', tag });
  });

  it('uses the twin when there is no addon, and gives the reason', () => {
    const loaded = load({ from: copied });
    expect(loaded).toMatchObject({
      implementation: 'js',
      code: 'ERR_ETAG_ADDON_UNAVAILABLE',
      tag,
    });
    expect(loaded.message).toMatch(/from this module: .*from the working directory: /);
  });

  it('uses the twin when the addon cannot be loaded or writes other tags', () => {
    installAddon('throw new Error("no build for this machine")');
    expect(load({ from: copied, cwd: app })).toMatchObject({
      implementation: 'js',
      message: expect.stringContaining('no build for this machine') as string,
      tag,
    });
    installAddon('exports.entityTag = () => "other"');
    expect(load({ from: copied, cwd: app })).toMatchObject({
      implementation: 'js',
      message: expect.stringContaining('does not write the tags of this version') as string,
      tag,
    });
  });

  it('can be configured to do without the twin', () => {
    expect(load({ from: copied, choice: 'native' }).thrown?.code).toBe(
      'ERR_ETAG_ADDON_UNAVAILABLE',
    );
  });

  it('refuses an unknown choice by name', () => {
    expect(load({ from: inPlace, choice: 'wasm' }).thrown).toEqual({
      code: 'ERR_ETAG_ENVIRONMENT',
      message:
        'The environment variable NG_SSR_ETAG must be js, native or unset; received string "wasm".',
    });
  });

  it.each([
    ['process', 'delete globalThis.process'],
    ['process.getBuiltinModule', 'process.getBuiltinModule = undefined'],
    ['a working directory', 'process.cwd = () => { throw new Error("gone"); }'],
  ])('works without %s', (_, before) => {
    expect(load({ from: copied, before })).toMatchObject({
      implementation: 'js',
      code: 'ERR_ETAG_ADDON_UNAVAILABLE',
      tag,
    });
  });

  it.each([
    ['absent', 'globalThis.WebAssembly = undefined'],
    ['forbidden', 'WebAssembly.Module = class { constructor() { throw new Error("no"); } }'],
  ])('works where WebAssembly is %s', (_, beforeUse) => {
    expect(load({ from: copied, beforeUse })).toMatchObject({ implementation: 'js', tag });
  });

  it('can be required', () => {
    const program = `console.log(require(${JSON.stringify(fileURLToPath(copied))}).entityTag('page'))`;
    const output = execFileSync(process.execPath, ['--input-type=commonjs', '--eval', program], {
      cwd: elsewhere,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(output.trim()).toBe(tag);
  });
});
