import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from '@ng-ssr/conformance/child';
import { toHono } from '@ng-ssr/fetch/hono';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';
import { Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';

/** The suite's middleware and routes for Hono. */
export function createHonoApp(ssr: FetchSsrHandler): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const { headers, status, body } = fixtureEffect(c.req.header('x-fixture'));
    for (const [name, value] of headers) c.header(name, value);
    if (status !== undefined) c.status(status as StatusCode);
    if (body !== undefined) return c.body(body);
    await next();
  });
  const pages = toHono(ssr);
  app.use(pages.answer);
  app.get('/api/time', (c) => c.json({ now: Date.now() }));
  app.post('/api/echo', async (c) => c.text(await c.req.text()));
  app.get('/api/missing', (c) => c.text(DELIBERATE_404, 404));
  app.post('/form', (c) => c.text(FORM_ANSWER));
  app.all('*', pages.render);
  return app;
}
