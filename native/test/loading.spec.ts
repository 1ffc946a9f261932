import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
      installAddon(`module.exports = require(${JSON.stringify(join(here.pathname, 'addon.cjs'))})`);
      expect(load({ from: copied, cwd: app })).toEqual({ implementation: 'native', tag });
    },
  );

  it('uses the twin when asked, without an error', () => {
    expect(load({ from: inPlace, choice: 'js' })).toEqual({ implementation: 'js', tag });
  });

  it('uses the twin when there is no addon, and says why', () => {
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

  it('can be told to do without the twin', () => {
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
    const program = `console.log(require(${JSON.stringify(copied.pathname)}).entityTag('page'))`;
    const output = execFileSync(process.execPath, ['--input-type=commonjs', '--eval', program], {
      cwd: elsewhere,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(output.trim()).toBe(tag);
  });
});
