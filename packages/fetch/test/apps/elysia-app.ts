import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from '@ng-ssr/conformance/child';
import { toElysia } from '@ng-ssr/fetch/elysia';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';

/** The suite's middleware and routes for Elysia. */
export function createElysiaApp(ssr: FetchSsrHandler) {
  const pages = toElysia(ssr);
  return new Elysia()
    .onRequest(({ request, set }) => {
      const effect = fixtureEffect(request.headers.get('x-fixture') ?? undefined);
      for (const [name, value] of effect.headers) set.headers[name.toLowerCase()] = value;
      if (effect.status !== undefined) set.status = effect.status;
      return effect.body;
    })
    .onRequest(pages.answer)
    .onAfterHandle(pages.answered)
    .get('/api/time', () => ({ now: Date.now() }))
    .post('/api/echo', ({ body }) => body, { parse: 'text' })
    .get('/api/missing', ({ set }) => {
      set.status = 404;
      return DELIBERATE_404;
    })
    .post('/form', () => FORM_ANSWER)
    .all('/*', pages.render, { parse: 'none' });
}
