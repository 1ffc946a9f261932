import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ngSsr } from './ng-ssr.ts';

const COMMANDS = readdirSync(join(import.meta.dirname, '../src/commands')).map((file) =>
  file.replace(/\.ts$/, ''),
);

test.each([['--help'], ['-h'], ['help']])('%s lists all commands', (argument) => {
  const { status, stdout } = ngSsr([argument]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: ng-ssr <command>/);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
});

test.each([['--version'], ['-v']])('%s prints the version of the package', (argument) => {
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  const { version } = JSON.parse(file) as { readonly version: string };
  expect(ngSsr([argument])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each(COMMANDS)('%s has a help of its own', (name) => {
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = ngSsr([name, option]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: ng-ssr ${name}`));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

test.each([
  [[], 'a command is missing'],
  [['pakc'], 'unknown command "pakc". Did you mean pack?'],
  [['compile'], 'unknown command "compile". Allowed: doctor, pack, render, explain, purge, top'],
  [['pack', 'dist', '--manifst'], 'unknown option --manifst. Did you mean --manifest?'],
  [['purge', 'http://shop.example', '--tga', 'a'], 'unknown option --tga. Did you mean --tag?'],
  [['pack', 'dist', '--fast'], 'unknown option --fast. Allowed: --manifest, --inline'],
  [['--vresion'], 'unknown option --vresion. Did you mean --version?'],
  [['-x'], 'unknown option -x. Allowed: --help, --version'],
  [['pack', 'dist', '--inline'], "Option '--inline <value>' argument missing"],
  [['pack', 'dist', '--inline', 'all'], '--inline is "all"; allowed: a whole number of bytes'],
  [['doctor', '--render', '/x', '--no-start'], '--render cannot be combined with --no-start'],
  [['pack', '-x'], 'unknown option -x. Allowed: --manifest'],
])('%j ends with 2 and says why', (args, message) => {
  const { status, stdout, stderr } = ngSsr(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`ng-ssr: NG_SSR_COMMAND_INVALID: ${message}`);
  expect(stderr).toContain('--help shows all arguments.');
  expect(stderr).not.toContain('    at ');
});
