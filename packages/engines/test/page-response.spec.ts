import { expect, it } from 'vitest';
import { toRedirectResponse } from '../src/page-response.ts';

it.each([
  [undefined, 'X-Forwarded-Prefix'],
  ['Cookie', 'Cookie, X-Forwarded-Prefix'],
  ['x-forwarded-prefix, Cookie', 'x-forwarded-prefix, Cookie'],
])('a redirect keeps the Vary %s of a component, and varies by the prefix', (own, vary) => {
  const headers = new Headers({ 'X-Own': '1', ...(own !== undefined && { Vary: own }) });
  const response = toRedirectResponse('/there', { headers });
  expect(response.status).toBe(302);
  expect(Object.fromEntries(response.headers)).toEqual({ location: '/there', vary, 'x-own': '1' });
});

it.each([
  [301, 301],
  [308, 308],
  [200, 302],
  [404, 302],
])('a component that sets the status %s redirects with %s', (status, sent) => {
  expect(toRedirectResponse('/there', { status }).status).toBe(sent);
});
