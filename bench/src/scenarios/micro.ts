import { type SsrOptions, withRequestLog } from '@ng-ssr/core';
import { type Answer, evaluatePreconditions, SsrHandler } from '@ng-ssr/core/adapter';
import { createExchange } from '../micro/plain-exchange.ts';
import type { Row } from '../measure/row.ts';
import type { Spread } from '../measure/spread.ts';
import { timeAwaitedCalls, timeCalls } from '../micro/time-calls.ts';
import { generateSite, pathOfPage } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const PAGES = 10_000;
/** What a page of the example weighs when it is rendered. */
const RENDERED_BYTES = 24 * 1024;
const STORED = { 'Content-Type': 'text/html', 'Cache-Control': 's-maxage=3600' };

function createHandler(pages: number, options: Partial<SsrOptions> = {}): SsrHandler {
  return new SsrHandler({
    engine: ({ url }) =>
      url.endsWith('/stored') ? new Response('page', { headers: STORED }) : null,
    allowedHosts: ['localhost'],
    files: {
      folder: generateSite(pages, 1024),
      encodings: pages === 1 ? ['br', 'gzip'] : [],
      maxBytes: 2 ** 30,
    },
    ...options,
  });
}

function headerOf(answer: Answer | undefined, name: string): string {
  const headers = answer?.headers ?? [];
  const index = headers.findIndex((header) => header.toLowerCase() === name);
  const value = index < 0 ? undefined : headers[index + 1];
  if (value === undefined) throw new Error(`the answer has no ${name}`);
  return value;
}

/** What the parts of a hit cost, in nanoseconds, in one process and without a server. */
export const microScenario: Scenario = {
  name: 'micro',
  title: 'negotiation, preconditions and look-up, and what surrounds a render, in nanoseconds',
  quick: { seconds: 6, isCpuBound: true },
  async run(session) {
    session.say('parts of a hit');
    const one = createHandler(1);
    const many = createHandler(PAGES);
    const logged = createHandler(1, {
      features: [withRequestLog({ write: () => undefined })],
    });
    await one.ready();
    const plain = createExchange('/');
    const whole = one.answer(plain);
    const tag = headerOf(whole, 'etag');
    const encoded = createExchange('/', { 'accept-encoding': 'gzip, deflate, br, zstd' });
    const same = createExchange('/', { 'if-none-match': tag });
    const listed = createExchange('/', { 'if-none-match': `"other", W/"another", ${tag}` });
    const since = createExchange('/', { 'if-modified-since': headerOf(whole, 'last-modified') });
    const far = createExchange(pathOfPage(PAGES >> 1));
    const query = createExchange('/?utm_source=letter&utm_medium=email');
    const absent = createExchange('/nothing/here');
    const representation = { etag: tag, lastModifiedMs: undefined };
    const stored = createExchange('/stored');
    await one.render(stored);
    const parts = timeCalls({
      'answer: identity': () => one.answer(plain),
      'answer: identity, logged': () => logged.answer(plain),
      'answer: stored': () => one.answer(stored),
      'answer: negotiated br': () => one.answer(encoded),
      'answer: 304 by tag': () => one.answer(same),
      'answer: 304 by a list': () => one.answer(listed),
      'answer: 304 by date': () => one.answer(since),
      'answer: with a query': () => one.answer(query),
      'answer: one of 10,000 pages': () => many.answer(far),
      'answer: not held': () => many.answer(absent),
      'evaluatePreconditions: none': () => evaluatePreconditions(representation, plain),
      'evaluatePreconditions: tag': () => evaluatePreconditions(representation, same),
    });
    session.say('what surrounds a render');
    const page = '-'.repeat(RENDERED_BYTES);
    const engine = async (): Promise<Response> =>
      new Response(page, { headers: { 'Content-Type': 'text/html' } });
    const files = { folder: one.browserFolder };
    const rendering = new SsrHandler({
      engine,
      allowedHosts: ['localhost'],
      files,
    });
    await rendering.ready();
    const missed = createExchange('/missed');
    const renders = await timeAwaitedCalls({
      'engine alone': async () => {
        const response = await engine();
        return new Uint8Array(await response.arrayBuffer());
      },
      'SsrHandler.render': () => rendering.render(missed),
    });
    await Promise.all([one.close(), many.close(), logged.close(), rendering.close()]);
    return [...toRows('hit', parts), ...toRows('render', renders)];
  },
};

function toRows(work: string, spreads: Readonly<Record<string, Spread>>): readonly Row[] {
  return Object.entries(spreads).map(([server, value]) => ({
    id: `micro/${work}/${server}`,
    scenario: 'micro',
    work,
    server,
    value,
    unit: 'ns',
  }));
}
