import type { IncomingMessage } from 'node:http';
import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from './fixture-effects.ts';

/** The part of Koa's context that the fixtures use. */
export interface KoaFixtureContext {
  readonly req: IncomingMessage;
  status: number;
  body: unknown;
  get(name: string): string;
  set(name: string, value: string): void;
}

/** The part of @koa/router that the fixtures use. */
export interface KoaFixtureRouter {
  get(path: string, handler: (context: KoaFixtureContext) => void): unknown;
  post(path: string, handler: (context: KoaFixtureContext) => void): unknown;
}

/**
 * The earlier middleware of the suite for Koa: register it before the pages.
 *
 * @param context - Koa's.
 * @param next - Runs the next middleware.
 */
export async function koaFixtureMiddleware(
  context: KoaFixtureContext,
  next: () => Promise<unknown>,
): Promise<void> {
  const effect = fixtureEffect(context.get('x-fixture'));
  for (const [name, value] of effect.headers) context.set(name, value);
  if (effect.status) context.status = effect.status;
  if (effect.body === undefined) await next();
  else context.body = effect.body;
}

/**
 * Registers the user's routes of the suite in a @koa/router.
 *
 * @param router - The adapter's router.
 */
export function koaFixtureRoutes(router: KoaFixtureRouter): void {
  router.get('/api/time', (context) => {
    context.body = { now: Date.now() };
  });
  router.post('/api/echo', (context) => {
    context.set('Content-Type', 'text/plain; charset=utf-8');
    context.status = 200;
    context.body = context.req;
  });
  router.get('/api/missing', (context) => {
    context.status = 404;
    context.body = DELIBERATE_404;
  });
  router.post('/form', (context) => {
    context.body = FORM_ANSWER;
  });
}
