import { SsrHandler } from '@ng-ssr/core/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';
import { leastGrowth } from '../render/held-bytes.ts';

const REQUESTS = 900;
const HEAD_BYTES = 8000;

test.each(['host', 'target'] as const)(
  'a %s that is remembered does not keep the head of its request in memory',
  async (remembered) => {
    const handler = new SsrHandler({
      engine: () => null,
      allowedHosts: ['*.shop.example'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
    });
    onTestFinished(() => handler.close());
    const ask = (number: number): void => {
      // An adapter may read a head as one text.
      const head = Buffer.alloc(HEAD_BYTES, `/a-path-of-a-page-${number} `).toString('latin1');
      const target = head.slice(0, head.indexOf(' '));
      const host = `${number}.shop.example ${head}`;
      const exchange =
        remembered === 'host'
          ? plainExchange('/', { host: Buffer.from(host).toString().slice(0, host.indexOf(' ')) })
          : plainExchange(target, { host: 'www.shop.example' });
      handler.answer(exchange);
    };
    for (let i = 0; i < 50; i++) ask(i);
    let next = 1000;
    const most = (REQUESTS * HEAD_BYTES) / 3;
    const grown = await leastGrowth(() => {
      for (const end = next + REQUESTS; next < end; next++) ask(next);
    }, most);
    expect(grown).toBeLessThan(most);
  },
);
