import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from '@ng-ssr/conformance/child';
import { toH3 } from '@ng-ssr/fetch/h3';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';
import { H3 } from 'h3';

/** The suite's middleware and routes for h3. */
export function createH3App(ssr: FetchSsrHandler): H3 {
  const app = new H3();
  app.use((event) => {
    const { headers, status, body } = fixtureEffect(
      event.req.headers.get('x-fixture') ?? undefined,
    );
    for (const [name, value] of headers) event.res.headers.set(name, value);
    if (status !== undefined) event.res.status = status;
    return body;
  });
  const pages = toH3(ssr);
  app.use(pages.answer);
  app.get('/api/time', () => ({ now: Date.now() }));
  app.post('/api/echo', (event) => event.req.text());
  app.get('/api/missing', (event) => {
    event.res.status = 404;
    return DELIBERATE_404;
  });
  app.post('/form', () => FORM_ANSWER);
  app.all('/**', pages.render);
  return app;
}
