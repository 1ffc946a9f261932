import { expect, test } from 'vitest';
import {
  type ConstantPages,
  type RenderEngine,
  type RouteRule,
  type SsrOptions,
  withSlots,
} from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { writeBuiltSite } from '../built-site.ts';

const ROUTES = ['/', '/about', '/products/*', '/products/*/reviews', '/trade/**'];

/** What a server reports of its rules, whose engine knows these routes. */
async function reportsOf(
  rules: readonly string[],
  routes: readonly string[] | undefined,
  baseHref = '/',
  features: SsrOptions['features'] = [],
): Promise<string[]> {
  const reports: string[] = [];
  const constantPages = async (): Promise<ConstantPages> => ({
    ...{ routes, pages: [], find: () => undefined },
  });
  const index = `<!doctype html><html><head><base href="${baseHref}"></head></html>`;
  const handler = new SsrHandler({
    engine: Object.assign((() => null) as RenderEngine, { constantPages }),
    allowedHosts: ['shop.example'],
    onError: ({ code, message }) => void reports.push(`${code}: ${message}`),
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': index }) },
    routeRules: Object.fromEntries(rules.map((rule): [string, RouteRule] => [rule, {}])),
    features,
  });
  await handler.ready();
  await handler.close();
  return reports;
}

test('rules that match no route are reported, with the route that is meant', async () => {
  expect(await reportsOf(['/prodcuts/**', '/about', '/contact'], ROUTES)).toEqual([
    'NG_SSR_OPTION_INVALID: routeRules["/contact"] matches no route of the application',
    'NG_SSR_OPTION_INVALID: routeRules["/prodcuts/**"] matches no route of the application. ' +
      'Did you mean "/products/*"?',
  ]);
});

test('rules that a path can match are not', async () => {
  const rules = ['/**', '/', '/*', '/about/**', '/products/**', '/products/:id', '/products/7'];
  const deeper = ['/products/7/reviews', '/products/*/reviews', '/trade/de/fr', '/trade/**'];
  expect(await reportsOf([...rules, ...deeper], ROUTES)).toEqual([]);
});

test.each([
  ['the engine knows no routes', undefined, '/'],
  ['the application has pages for all other paths', [...ROUTES, '/**'], '/'],
  ['the application has a base href', ROUTES, '/shop/'],
])('nothing is said where %s', async (_, routes, baseHref) => {
  expect(await reportsOf(['/prodcuts/**'], routes, baseHref)).toEqual([]);
});

const SLOTS = withSlots({
  cart: { fill: () => 1 },
  prices: { routes: ['/products/**', '/prodcuts/*', '/'], fill: () => 1 },
  news: { routes: ['/news'], fill: () => 1 },
});

test('routes of slots that match no route are reported', async () => {
  expect(await reportsOf(['/contact'], ROUTES, '/', [SLOTS])).toEqual([
    'NG_SSR_OPTION_INVALID: routeRules["/contact"] matches no route of the application',
    'NG_SSR_OPTION_INVALID: withSlots["prices"].routes: "/prodcuts/*" matches no route of the application. ' +
      'Did you mean "/products/*"?',
    'NG_SSR_OPTION_INVALID: withSlots["news"].routes: "/news" matches no route of the application',
  ]);
  expect(await reportsOf([], ROUTES, '/shop/', [SLOTS])).toEqual([]);
});
