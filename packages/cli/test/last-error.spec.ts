import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { lastError } from '../dist/doctor/facts/start-server.js';

test.each([
  ['an error', "throw new Error('no database: db:5432')", 'Error: no database: db:5432'],
  ['more lines', "throw new Error('one\\ntwo', { cause: new TypeError('no') })", 'Error: one'],
  ['an error of Node', "import 'nowhere'", /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package/],
  ['a syntax error', 'const a = ;', "SyntaxError: Unexpected token ';'"],
  // The bundler shortens names of classes.
  [
    'a minified class',
    "throw new (class R extends Error { name = 'SsrError' })('a')",
    'SsrError: a',
  ],
  [
    'another name',
    "throw new (class Missing extends Error { name = 'Missing' })('a')",
    'Missing: a',
  ],
  ['a text', "throw 'no database'", 'no database'],
  ['an object', 'throw { code: 3 }', '{ code: 3 }'],
  ['a rejection', 'Promise.reject(5)', /^UnhandledPromiseRejection: .*"5"/],
  ['a message', "console.error('no database'); process.exit(1)", 'no database'],
  ['an error that is logged', "console.error(new Error('a')); process.exit(1)", 'Error: a'],
])('of %s the cause is shown', (_, program, cause) => {
  for (const FORCE_COLOR of ['0', '1']) {
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { ...process.env, FORCE_COLOR },
    });
    expect(lastError(stderr).replace(/^: /, '')).toEqual(
      typeof cause === 'string' ? cause : expect.stringMatching(cause),
    );
  }
});

test('a program without output has no cause', () => expect(lastError('')).toBe(''));
