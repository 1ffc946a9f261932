import type { IncomingMessage, ServerResponse } from 'node:http';
import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from './fixture-effects.ts';

/**
 * The earlier middleware of the suite for node:http, Connect and Express: register it before the
 * pages.
 *
 * @param request - node:http's, or an extension of it.
 * @param response - node:http's, or an extension of it.
 * @param next - Runs the next middleware.
 */
export function fixtureMiddleware(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void {
  const effect = fixtureEffect(request.headers['x-fixture']?.toString());
  for (const [name, value] of effect.headers) response.setHeader(name, value);
  if (effect.status) response.statusCode = effect.status;
  if (effect.body === undefined) next();
  else response.end(effect.body);
}

/**
 * The user's routes of the suite for node:http, Connect and Express: GET `/api/time`, POST
 * `/api/echo`, GET `/api/missing` and POST `/form`; HEAD where there is GET.
 *
 * @param request - node:http's, or an extension of it.
 * @param response - node:http's, or an extension of it.
 * @param next - Called for every other request; not needed after a router of `FIXTURE_ROUTES`.
 */
export function fixtureRoutes(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void = () => undefined,
): void {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = `${method} ${request.url?.split('?')[0]}`;
  if (route === 'GET /api/time') {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ now: Date.now() }));
  } else if (route === 'POST /api/echo') {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    request.pipe(response);
  } else if (route === 'GET /api/missing') {
    response.statusCode = 404;
    response.end(DELIBERATE_404);
  } else if (route === 'POST /form') {
    response.end(FORM_ANSWER);
  } else {
    next();
  }
}
