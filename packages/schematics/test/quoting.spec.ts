import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  dockerPaths,
  ignoredPath,
  scriptSpecifier,
  scriptString,
  shellWord,
  systemdWord,
  tomlValue,
  yamlValue,
} from '../dist/deploy/quoting.js';

const TEXTS = [
  ...['dist/shop', 'dist/my shop', `dist/it's "my" shop`, 'dist/$HOME/%h/100%/`id`', 'dist/a\\b'],
  ...['dist/#1: {a}, [b]*?', 'dist/ä\u2028\u202e', 'no', '/livez, port: 1', '- a'],
];

test.each(TEXTS)('%j stays what it is in each format', (text) => {
  const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
  expect(printed).toBe(text);
  expect(parse(`{ path: ${yamlValue(text)}, port: http }`)).toEqual({ path: text, port: 'http' });
  expect(parse(`path: ${yamlValue(text)}\n`)).toEqual({ path: text });
  expect(runInNewContext(scriptString(text))).toBe(text);
  const specifier = runInNewContext(scriptSpecifier(`./${text}`)) as string;
  expect(decodeURIComponent(new URL(specifier, 'file:///').pathname)).toBe(`/${text}`);
  expect(JSON.parse(tomlValue(text))).toBe(text);
});

test('a path of the build is plain where it can be', () => {
  const path = 'dist/shop/server/server.mjs';
  expect([shellWord(path), yamlValue(path), systemdWord(path)]).toEqual([path, path, path]);
  expect(scriptString(path)).toBe(`'${path}'`);
  expect(dockerPaths(`/app/${path}`, path)).toBe(`/app/${path} ${path}`);
});

test('specifiers and variables of systemd are none', () => {
  expect(systemdWord('dist/100% $HOME "a\\b"/server.mjs')).toBe(
    String.raw`"dist/100%% $$HOME \"a\\b\"/server.mjs"`,
  );
});

test('patterns and variables of COPY and .dockerignore are none', () => {
  expect(dockerPaths('/app/my shop', 'my shop')).toBe('["/app/my shop", "my shop"]');
  expect(dockerPaths('/app/[a] $B', '[a] $B')).toBe(String.raw`["/app/[[]a] \\$B", "[a] \\$B"]`);
  expect(ignoredPath('out/[a]*')).toBe(String.raw`out/\[a]\*`);
});
