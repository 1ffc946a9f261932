import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
let cli: ChildProcess;
let origin: string;
let output = '';

beforeAll(async () => {
  // The dev server keeps dependencies that it has bundled until the lock file changes, and ours
  // change without it.
  for (const folder of globSync('.angular/cache/*/app/vite', { cwd: root })) {
    rmSync(join(root, folder), { recursive: true });
  }
  const program = join(root, 'node_modules/@angular/cli/bin/ng.js');
  cli = spawn(process.execPath, [program, 'serve', 'app', '--port', '0'], {
    cwd: root,
    env: {
      ...process.env,
      NG_CLI_ANALYTICS: 'false',
      ADAPTER: 'koa',
      SHOP_CONTACT: 'dev@ember.example',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cli.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    console.error(text.trimEnd());
  });
  origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: cli.stdout! }).on('line', (line) => {
      output += `${line}\n`;
      const url = stripVTControlCharacters(line).split('Local:')[1]?.trim();
      if (url !== undefined) resolve(url.replace(/\/$/, ''));
    });
    cli.once('exit', (code) => reject(new Error(`ng serve ended with ${code}:\n${output}`)));
  });
}, 120_000);

afterAll(async () => {
  if (cli.exitCode !== null) return;
  cli.kill();
  await once(cli, 'exit');
});

test('ng serve renders through the adapter', async () => {
  // The second answer for a product is a render too: nothing is stored here.
  for (const path of ['/', '/products/3', '/products/3']) {
    const answer = await fetch(origin + path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('cache-status'), path).toBe('ng-ssr; fwd=uri-miss');
    expect(answer.headers.get('x-served-by'), path).toBe('koa');
    expect((await answer.text()).includes('ng-server-context='), path).toBe(true);
  }
});

test('ng serve has the routes of the server and the status of a page', async () => {
  const answer = await fetch(`${origin}/api/time`);
  expect(await answer.json()).toEqual({ now: expect.any(Number) });
  expect((await fetch(`${origin}/missing`)).status).toBe(404);
});

test('ng serve has the calls of pages: relative URLs, and headers that rules forward', async () => {
  const product = await (await fetch(`${origin}/live/3`)).text();
  for (const text of ['Moon Jar', 'on the shelf', '<blockquote']) expect(product).toContain(text);
  const account = await fetch(`${origin}/live/account`, { headers: { cookie: 'user=Ada' } });
  expect(await account.text()).toContain('Two parcels for Ada');
});

test('ng serve has the public configuration, in pages that a build prerenders or leaves to the browser too', async () => {
  for (const path of ['/', '/products/3', '/client']) {
    const text = await (await fetch(origin + path)).text();
    expect(text, path).toContain('id="ng-ssr-config">{"contact":"dev@ember.example"}</script>');
    const isRendered = path !== '/client';
    expect(text.includes('>dev@ember.example</span>'), path).toBe(isRendered);
  }
});

test('ng serve prints no warning', async () => {
  // The first render has Vite bundle the packages.
  expect((await fetch(`${origin}/`)).status).toBe(200);
  expect(stripVTControlCharacters(output)).toContain('bundling dependencies');
  expect(stripVTControlCharacters(output)).not.toMatch(/\bwarn/i);
});
