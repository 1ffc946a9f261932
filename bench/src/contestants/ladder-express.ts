/**
 * The first five steps of the ladder, on Express: `node ladder-express.ts <dist> <step>`. Each step
 * keeps those before it.
 */
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import express, { type Response } from 'express';
import { renderPage, renderPageCached, sayListening } from './article-page.ts';

const STEPS = ['start', 'no-etag', 'crc32', 'page-cache', 'type-memo'] as const;
const step = STEPS.indexOf(process.argv[3] as (typeof STEPS)[number]);
if (step < 0)
  throw new Error(`the step is ${JSON.stringify(process.argv[3])}; allowed: ${STEPS.join(', ')}`);
const reaches = (name: (typeof STEPS)[number]): boolean => step >= STEPS.indexOf(name);

const app = express();
if (step === STEPS.indexOf('no-etag')) app.disable('etag');
if (reaches('crc32')) {
  app.set('etag', (body: Buffer) => `W/"${body.byteLength.toString(16)}-${crc32(body)}"`);
}
if (reaches('type-memo')) {
  app.response.type = function (this: Response) {
    this.setHeader('Content-Type', 'text/html; charset=utf-8');
    return this;
  };
  const set = app.response.set;
  app.response.set = function (this: Response, ...header: Parameters<typeof set>) {
    if ((header[0] as unknown) === 'Content-Type') return this;
    return set.apply(this, header);
  } as typeof set;
}
const render = reaches('page-cache') ? renderPageCached : renderPage;
app.use((request, response, next) => {
  render(request.headers.host ?? '', request.originalUrl).then((html) => response.send(html), next);
});
const server = app.listen(0, '127.0.0.1', () => {
  sayListening((server.address() as AddressInfo).port);
});
