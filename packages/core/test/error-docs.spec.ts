import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ERROR_CODES, SsrError, type SsrErrorCode } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { toWireError, toSsrError } from '../dist/threads/wire-error.js';
import { plainExchange } from './plain-exchange.ts';

const PAGE = 'https://github.com/ng-ssr/ng-ssr/blob/main/docs/errors.md';

async function failWith(cause: Error, errorDetails: boolean): Promise<string> {
  const handler = new SsrHandler({
    engine: () => Promise.reject(cause),
    allowedHosts: ['localhost'],
    errorDetails,
  });
  const answer = await handler.render(plainExchange('/page'));
  await handler.close();
  return Buffer.from(answer?.body ?? '').toString();
}

function logged(): readonly unknown[][] {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  return log.mock.calls;
}

test('an error has the address of its entry in the documentation, which any log of it shows', () => {
  for (const code of Object.keys(ERROR_CODES) as SsrErrorCode[]) {
    const error = new SsrError(code, 'some message');
    expect(error.docs).toBe(`${PAGE}#${code.toLowerCase()}`);
    expect(inspect(error)).toContain(error.docs);
  }
});

test('Node prints it for an error that nothing catches', () => {
  const program =
    "import { SsrError } from '@ng-ssr/core'; throw new SsrError('NG_SSR_OPTION_INVALID', 'no');";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${PAGE}#ng_ssr_option_invalid`)]);
});

test('without onError the line on stderr ends with it', async () => {
  const calls = logged();
  const cause = new Error('cracked');
  await failWith(cause, false);
  const line = `ng-ssr: NG_SSR_RENDER_FAILED: GET /page failed (${PAGE}#ng_ssr_render_failed)`;
  expect(calls).toEqual([[line, cause]]);
});

test('a 500 with details ends with that of the cause, one without has none', async () => {
  logged();
  const cause = new SsrError('NG_SSR_REQUEST_NOT_SHARED', 'reads a cookie');
  expect(await failWith(cause, true)).toMatch(/\n\nhttps:\S+#ng_ssr_request_not_shared\n$/);
  expect(await failWith(new Error('cracked'), true)).toMatch(/#ng_ssr_render_failed\n$/);
  expect(await failWith(cause, false)).toBe('500 Internal Server Error\n');
});

test('errors and their causes keep it on their way from a thread', () => {
  const cause = new SsrError('NG_SSR_REQUEST_NOT_SHARED', 'reads a cookie');
  const error = new SsrError('NG_SSR_RENDER_FAILED', 'GET /page failed', { cause });
  const received = toSsrError(structuredClone(toWireError(error)));
  expect(received).toMatchObject({ code: error.code, docs: error.docs, stack: error.stack });
  expect(received.cause).toBeInstanceOf(SsrError);
  expect(received.cause).toMatchObject({ code: cause.code, docs: cause.docs, stack: cause.stack });
});
