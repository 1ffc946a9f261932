import { createFetchSsrHandler, isMain, toReqHandler } from '@ng-ssr/fetch';
import { toH3 } from '@ng-ssr/fetch/h3';
import { H3, type H3Event, serve } from 'h3';
import { cache } from '../cache';
import { engine } from '../engine';
import { render } from '../render';

const pages = toH3(createFetchSsrHandler<[H3Event]>({ engine, cache, render }));
const app = new H3();

app.use((event) => {
  event.res.headers.set('X-Served-By', 'h3');
});
app.use(pages.answer);

app.get('/api/time', () => ({ now: Date.now() }));
app.all('/**', pages.render);

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = async () => {
  const server = serve(app, { port: Number(process.env['PORT'] ?? 4000), silent: true });
  await server.ready();
  console.log(`Listening on http://localhost:${new URL(server.url!).port}/`);
};
if (isMain(import.meta.url)) await listen();
