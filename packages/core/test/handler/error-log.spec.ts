import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SsrError, unhandledErrors } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { expect, it, onTestFinished, vi } from 'vitest';
import { advance, useClock } from '../pages/clock.ts';
import { plainExchange } from '../plain-exchange.ts';

useClock();

/** A server whose pages leave an error, and what it prints. */
function serve(onError?: (error: SsrError) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-error-log-'));
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const handler = new SsrHandler({
    engine: (request) => {
      if (request.url.includes('/fails')) throw new Error('no page');
      if (request.url.includes('/refused')) {
        throw Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
      }
      const reason = new URL(request.url).searchParams.get('reason') ?? 'a binding';
      unhandledErrors()!(new Error(reason));
      return new Response('page', { headers: { 'content-type': 'text/html' } });
    },
    allowedHosts: ['localhost'],
    files: { folder },
    onError,
  });
  onTestFinished(async () => {
    await handler.close();
    print.mockRestore();
    rmSync(folder, { recursive: true });
  });
  const get = (target: string) => handler.render(plainExchange(target));
  /** What was printed of pages, without the address of the documentation. */
  const printed = (): string[] => {
    const lines = print.mock.calls.map(([line]) => String(line));
    return lines.filter((line) => line.includes('GET ')).map((line) => line.split(' (https')[0]!);
  };
  return { get, printed, print };
}

const HINT =
  'Pages with errors are sent with Cache-Control: no-store; with the engine option failOnError: true they get 500';
const lineOf = (target: string, reason = 'a binding', times = ''): string =>
  `ng-ssr: NG_SSR_ERROR_UNHANDLED: GET ${target} (http://localhost${target}) has left an error unhandled: ` +
  `Error: ${reason}${times}. ${HINT}`;

it('the log has the error of a page once in ten minutes, with the option that changes it', async () => {
  const { get, printed } = serve();
  for (let visit = 1; visit <= 3; visit++) await get(`/shop?visit=${visit}`);
  expect(printed()).toEqual([lineOf('/shop?visit=1')]);
  await get('/about');
  await get('/shop?reason=another');
  expect(printed().slice(1)).toEqual([lineOf('/about'), lineOf('/shop?reason=another', 'another')]);
  advance(601);
  await get('/shop?visit=4');
  await get('/about');
  expect(printed().slice(3)).toEqual([
    lineOf('/shop?visit=4', 'a binding', ' (2 times more)'),
    lineOf('/about'),
  ]);
});

it('the log has each page that has failed', async () => {
  const { get, printed } = serve();
  await get('/fails');
  await get('/fails');
  expect(printed()).toEqual(Array(2).fill('ng-ssr: NG_SSR_RENDER_FAILED: GET /fails failed'));
});

it('an error of the system is in the same line, without its stack', async () => {
  const { get, print } = serve();
  await get('/refused');
  expect(print.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^ng-ssr: NG_SSR_RENDER_FAILED: GET \/refused failed: Error: connect ECONNREFUSED \(https:[^ ]+\)$/,
      ),
    ],
  ]);
});

it('onError gets each error of each visit', async () => {
  const messages: string[] = [];
  const { get, printed } = serve(({ message }) => messages.push(message));
  await get('/shop');
  await get('/shop');
  expect(messages.filter((message) => message.includes('GET /shop'))).toHaveLength(2);
  expect(printed()).toEqual([]);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('no connection');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no connection'))],
])('an error that onError gets is in the log where it %s', async (_, onError) => {
  const { get, printed } = serve(onError as () => void);
  await get('/shop');
  await get('/about');
  expect(printed()).toEqual([lineOf('/shop'), lineOf('/about')]);
});
