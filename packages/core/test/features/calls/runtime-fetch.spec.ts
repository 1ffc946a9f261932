import { expect, it, onTestFinished } from 'vitest';
import { type CallEvent, channelOf, withCalls } from '@ng-ssr/core';
import { html, storedServer } from '../../pages/stored-server.ts';
import { startApi } from './api-server.ts';

interface Dispatcher {
  dispatch(options: { readonly path: string }, handler: object): boolean;
}

/** The dispatcher of the runtime's `fetch`, which is there once it was called. */
const runtimeDispatcher = (): Dispatcher =>
  (globalThis as unknown as Record<symbol, Dispatcher>)[Symbol.for('undici.globalDispatcher.1')]!;

/** The text of a page, and the calls that were made for it. */
async function render(page: () => Promise<string>): Promise<{ text: string; urls: string[] }> {
  const urls: string[] = [];
  const listener = ({ url }: CallEvent): void => void urls.push(url);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  const server = storedServer(async () => html(await page(), {}), {
    features: [withCalls({ '**': {} })],
  });
  return { text: (await server.get('/p')).text, urls };
}

it("leaves a call with an option of the runtime's own to the runtime", async () => {
  const { origin } = await startApi();
  const paths: string[] = [];
  const dispatcher: Dispatcher = {
    dispatch(options, handler) {
      paths.push(options.path);
      return runtimeDispatcher().dispatch(options, handler);
    },
  };
  const { text, urls } = await render(async () => {
    await (await fetch(`${origin}/echo?plain`, { integrity: '', mode: 'cors' })).text();
    const init = { dispatcher } as RequestInit;
    return (await fetch(`${origin}/bytes?count=3`, init)).text();
  });
  expect(text).toContain('xxx');
  expect(paths).toEqual(['/bytes?count=3']);
  expect(urls).toEqual([`${origin}/echo?plain`]);
});

it('checks the integrity that a call asks for', async () => {
  const { origin } = await startApi();
  const init = { integrity: 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
  const { text } = await render(async () =>
    fetch(`${origin}/echo`, init).then(
      () => 'taken',
      () => 'refused',
    ),
  );
  expect(text).toContain('refused');
});

it('leaves URLs that no rule can mean to the runtime', async () => {
  const { text, urls } = await render(async () =>
    (await fetch('data:text/plain,of%20the%20page')).text(),
  );
  expect(text).toContain('of the page');
  expect(urls).toEqual([]);
});

it('answers with any status that an API sends', async () => {
  const { origin } = await startApi();
  const { text } = await render(async () => {
    const { status, ok } = await fetch(`${origin}/status?code=999`);
    return `${status} ${ok}`;
  });
  expect(text).toContain('999 false');
});
