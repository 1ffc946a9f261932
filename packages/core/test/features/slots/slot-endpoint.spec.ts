import {
  type PageStore,
  type SlotOptions,
  withPublicConfig,
  withPurgeEndpoint,
  withSharedStore,
  withSlots,
} from '@ng-ssr/core';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { headerOf } from '../../header-of.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { storedServer } from '../../pages/stored-server.ts';
import { inspectedServer } from '../inspector/inspected-server.ts';
import { ANN, asker, page, readAnswer } from './slotted-server.ts';

type Slots = Readonly<Record<string, SlotOptions>>;

const USER: Slots = {
  user: { fill: ({ headers, url }) => ({ user: headers.get('cookie'), url, html: '</script>é' }) },
};
const ENDPOINT = { endpoint: '/_slots' };
const ALL = '<script type="application/json" data-ng-ssr-slots></script>';

function endpointServer(slots: Slots = USER, folder?: string) {
  const files = folder === undefined ? {} : { files: { folder } };
  const features = [withSlots(slots, ENDPOINT), withPublicConfig({ a: 1 })];
  const server = storedServer(page, { ...files, features });
  return { ...server, ask: asker(server.handler, ANN) };
}

const ask = (path: string, names?: string): string =>
  `/_slots?${new URLSearchParams({ path, ...(names !== undefined && { names }) })}`;

test('pages have no slots, and are the same cached bytes for clients with cookies', async () => {
  const server = endpointServer();
  const [first, second] = [await server.ask('/a'), await server.ask('/a', {})];
  expect(second.text).toBe(first.text);
  expect([first.isStreamed, first.isPersonal, first.slots]).toEqual([false, false, {}]);
  expect(server.handler.answer(plainExchange('/a', ANN))).toBeDefined();
  expect(second.header('cache-control')).toContain('public');
});

test('documents of the build say where the slots are, beside the public configuration', async () => {
  const folder = writeBuiltSite({
    'browser/about/index.html': `<html><head></head>${prerendered('about')}`,
  });
  const { text } = await endpointServer(USER, folder).ask('/about');
  expect(text).toContain('<meta name="ng-ssr-slots" content="/_slots">');
  expect(text).toContain('id="ng-ssr-config">{"a":1}');
});

test('pages that were rendered for another endpoint are other pages', async () => {
  const ids = new Set<string>();
  const store = {
    open: ({ buildId }: { readonly buildId: string }) => void ids.add(buildId),
    close: () => Promise.resolve(),
    ...Object.fromEntries(
      ['version', 'get', 'set', 'delete', 'purge', 'lease'].map((name) => [
        name,
        async () => undefined,
      ]),
    ),
  } as unknown as PageStore;
  for (const endpoint of ['/_slots', '/_data', undefined]) {
    const features = [withSlots(USER, { endpoint }), withSharedStore(store)];
    const { handler } = storedServer(page, { features });
    await handler.close();
  }
  expect(ids.size).toBe(3);
});

test('the endpoint sends each slot as it arrives, to its client alone', async () => {
  let finish: ((data: string) => void) | undefined;
  const late = { fill: () => new Promise<string>((resolve) => (finish = resolve)) };
  const { handler, requests, errors } = endpointServer({ late, ...USER });
  for (const cookie of ['session=ann', 'session=bob']) {
    const answer = await handler.complete(plainExchange(ask('/a?b=1'), { cookie }));
    if (answer === undefined || !('content' in answer)) throw new Error('it is not streamed');
    expect(answer.isPersonal).toBe(true);
    const { content } = answer;
    let begun = '';
    while (!begun.includes('slot="user"')) begun += String(await content.read());
    expect(begun.startsWith(ALL)).toBe(true);
    finish!('late');
    const rest = await readAnswer(answer);
    expect(rest.slots).toEqual({ late: 'late' });
    expect(begun).toContain(`"user":"${cookie}"`);
    expect(begun).toContain('"url":"http://localhost/a?b=1"');
    expect(begun).toContain(String.raw`"html":"\u003c/script>\u00e9"`);
  }
  expect([errors, requests]).toEqual([[], []]);
});

test('no cache keeps it, and no other site reads it', async () => {
  const answer = await endpointServer().ask(ask('/a'));
  expect(answer.header('cache-control')).toBe('private, no-store, no-transform');
  expect(answer.header('vary')).toBe('Cookie');
  expect(answer.header('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.header('x-content-type-options')).toBe('nosniff');
  expect(answer.header('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.header('cross-origin-resource-policy')).toBe('same-origin');
  expect(answer.header('access-control-allow-origin')).toBeUndefined();
});

test('slots of other paths and unknown ones are left out, as those that when refuses', async () => {
  const server = endpointServer({ ...USER, a: { routes: ['/a'], fill: () => 'of a' } });
  expect(Object.keys((await server.ask(ask('/a'))).slots)).toEqual(['user', 'a']);
  expect(Object.keys((await server.ask(ask('/a', 'a,other'))).slots)).toEqual(['a']);
  expect((await server.ask(ask('/a', ''))).text).toBe(ALL);
  for (const [target, headers] of [
    [ask('/b', 'a'), ANN],
    [ask('/_slots?path=/a'), ANN],
    [ask('/a'), {}],
  ] as const) {
    const none = await server.ask(target, headers);
    expect([none.status, none.text], target).toEqual([200, ALL]);
  }
});

test('a slot that fails has an element without text, and is reported', async () => {
  const server = endpointServer({ broken: { fill: () => Promise.reject(new Error('cracked')) } });
  const { status, text } = await server.ask(ask('/a'));
  const failed = '<script type="application/json" data-ng-ssr-slot="broken">\n</script>';
  expect([status, text]).toEqual([200, ALL + failed]);
  expect(server.errors.map(({ code, message }) => [code, message])).toEqual([
    ['NG_SSR_SLOT_FAILED', expect.stringContaining('of /a keeps its fallback')],
  ]);
});

test('a slot that hangs ends after its time, and others do not wait for it', async () => {
  const hanging = { fill: () => new Promise(() => undefined), timeoutMs: 1 };
  const server = endpointServer({ hanging, ...USER });
  const { slots, text } = await server.ask(ask('/a'));
  expect(Object.keys(slots)).toEqual(['user']);
  expect(text).toMatch(/data-ng-ssr-slot="user">[^]*data-ng-ssr-slot="hanging">\n<\/script>$/);
  expect(server.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('it took longer than 1 ms'),
  ]);
});

test('a client that leaves aborts its fills', async () => {
  const signals: AbortSignal[] = [];
  const hanging = {
    fill: (_request: Request, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  };
  const { handler } = endpointServer({ hanging });
  const answer = await handler.complete(plainExchange(ask('/a'), ANN));
  if (answer === undefined || !('content' in answer)) throw new Error('it is not streamed');
  await answer.content.read();
  const next = answer.content.read();
  await answer.content.close();
  expect(await next).toBeUndefined();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('islands have HTML where a page says how many there are', async () => {
  const island = { fill: () => 'ann', html: (name: unknown) => `<b>${name as string}</b>` };
  const server = endpointServer({ island });
  const template = '<template for="island"><b>ann</b></template>';
  for (const [islands, templates] of [
    ['island:2', 2],
    ['island:0', 0],
    ['island:-1,other:1', 0],
    ['island:1e9', 0],
  ] as const) {
    const { text } = await server.ask(`${ask('/a')}&islands=${islands}`);
    expect(text.split(template).length - 1, islands).toBe(templates);
    expect(text).toContain('"island">"ann"');
  }
  expect(server.errors).toEqual([]);
});

test.each([
  '/_slots',
  '/_slots?names=user',
  ask(''),
  ask('a'),
  ask('//evil.example/a'),
  ask('http://evil.example/a'),
  ask('/a/../b'),
  ask('/a b'),
  ask('/a\r\nb'),
  ask('/a#b'),
])('%s is a 400', async (target) => {
  const { status, header } = await endpointServer().ask(target);
  expect([status, header('cache-control')]).toEqual([400, 'no-store']);
});

test('paths below and beside it are pages', async () => {
  for (const target of ['/_slots/a', '/_slotsa', '/a/_slots']) {
    expect((await endpointServer().ask(target)).text).toContain('render 1');
  }
});

test('no page is cached in place of the endpoint, however a request spells its path', async () => {
  const server = endpointServer();
  const slots = await server.ask(ask('/a'));
  for (const path of ['/%5Fslots', '/_%73lots', '/%5fslots?path=%2Fa']) {
    expect((await server.ask(path)).header('cache-status')).toContain('fwd=uri-miss; detail=');
  }
  expect((await server.ask(ask('/a'))).text).toBe(slots.text);
});

test('a built file has its path before the endpoint', async () => {
  const folder = writeBuiltSite({ 'browser/_slots': 'a file' });
  expect((await endpointServer(USER, folder).ask(ask('/a'))).text).toBe('a file');
});

test('another site gets nothing; a proxy passes on the headers of a navigation', async () => {
  const server = endpointServer();
  const target = ask('/a');
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await server.ask(target, { ...ANN, ...headers })).status;
  for (const site of ['cross-site', 'same-site', 'none']) {
    for (const dest of ['empty', 'script', 'iframe', 'image']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': dest };
      expect(await statusOf(headers), `${site} ${dest}`).toBe(403);
    }
    expect(await statusOf({ 'sec-fetch-site': site, 'sec-fetch-dest': 'document' })).toBe(200);
  }
  expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await statusOf({ host: 'evil.example' })).toBe(400);
});

test('HEAD has the headers and calls no fill; other methods are a 405', async () => {
  let calls = 0;
  const server = endpointServer({ user: { fill: () => ++calls } });
  const head = await server.ask(ask('/a'), ANN, 'HEAD');
  expect([head.status, head.text, head.header('cache-control')]).toEqual([
    ...[200, '', 'private, no-store, no-transform'],
  ]);
  expect((await server.ask('/_slots', ANN, 'HEAD')).status).toBe(400);
  for (const method of ['POST', 'PUT', 'OPTIONS']) {
    const refused = await server.ask(ask('/a'), ANN, method);
    expect([refused.status, refused.header('allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect(calls).toBe(0);
});

test('an adapter that sends whole answers gets all slots', async () => {
  const { handler } = endpointServer();
  const answer = await handler.render(plainExchange(ask('/a'), ANN));
  expect(Object.keys((await readAnswer(answer!)).slots)).toEqual(['user']);
  expect(headerOf(answer!, 'cache-control')).toBe('private, no-store, no-transform');
});

test.each(['_slots', '/_slots?a', '/', '/a"b', '/a/', '/..', '/a/./b', '', 1, null])(
  'an endpoint that is wrong: %j',
  (endpoint) => {
    const create = () =>
      storedServer(page, { features: [withSlots(USER, { endpoint: endpoint as string })] });
    expect(create).toThrow('withSlots.endpoint');
  },
);

test('an endpoint has the path of no other one', () => {
  const features = [
    withSlots(USER, ENDPOINT),
    withPurgeEndpoint({ path: '/_slots', token: 'a-token-of-tests' }),
  ];
  expect(() => storedServer(page, { features })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('withSlots.endpoint') as string }),
  );
});

test('explain says from where browsers fetch the slots', async () => {
  const server = inspectedServer(undefined, { features: [withSlots(USER, ENDPOINT)] });
  const { text } = await server.inspect('/explain', { method: 'POST', content: { url: '/a' } });
  const { reasons } = JSON.parse(text) as { readonly reasons: readonly string[] };
  expect(reasons).toContain('Browsers fetch these slots from /_slots: user.');
});
