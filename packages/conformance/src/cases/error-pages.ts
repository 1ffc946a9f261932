import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile, type CaseTraits } from '../conformance-case.ts';
import { comparableHeaders, decodedBody } from '../expectations.ts';

/** A browser's Accept for a page. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Error pages of the build instead of short texts. */
export const errorPages = caseFile('error pages', (add) => {
  const traits: CaseTraits = { profile: 'error pages' };

  add(
    "a path that is not the application's gets the page for it",
    async ({ get, site }) => {
      const response = await get('/null', BROWSER);
      expect(response.status).toBe(404);
      expect(response.body.equals(site.read('errors/not-found.html'))).toBe(true);
      expect(headerOf(response, 'content-type')?.toLowerCase()).toBe('text/html; charset=utf-8');
      expect(headerOf(response, 'cache-control')).toBe('no-cache');
      expect(headerOf(response, 'cache-status')).toBe('ng-ssr; detail=NG_SSR_NOT_FOUND');
    },
    traits,
  );

  add(
    'the page is encoded',
    async ({ get, site }) => {
      const response = await get('/null', { ...BROWSER, 'accept-encoding': 'gzip' });
      expect(response.status).toBe(404);
      expect(headerOf(response, 'content-encoding')).toBe('gzip');
      expect(decodedBody(response).equals(site.read('errors/not-found.html'))).toBe(true);
    },
    // Compressors differ between runtimes.
    { ...traits, parity: false },
  );

  add(
    'RFC 9110 section 13.2.1: it is never a 304',
    async ({ get, site }) => {
      const etag = headerOf(await get('/null', BROWSER), 'etag') ?? '';
      const response = await get('/null', { ...BROWSER, 'if-none-match': etag });
      expect(response.status).toBe(404);
      expect(response.body).toHaveLength(site.read('errors/not-found.html').length);
    },
    traits,
  );

  add(
    'HEAD has its headers',
    async ({ get, request }) => {
      const whole = await get('/null', BROWSER);
      const response = await request({ method: 'HEAD', target: '/null', headers: BROWSER });
      expect(response.status).toBe(404);
      expect(comparableHeaders(response)).toEqual(comparableHeaders(whole));
      expect(response.body).toHaveLength(0);
    },
    traits,
  );

  for (const target of ['/null', '/boom']) {
    add(
      `a program that asks for JSON gets a short text for ${target}`,
      async ({ get }) => {
        for (const accept of ['application/json', 'application/json, text/plain, */*']) {
          const response = await get(target, { accept });
          expect(response.status).toBe(target === '/null' ? 404 : 500);
          expect(headerOf(response, 'content-type')).toMatch(/^text\/plain\b/);
          expect(headerOf(response, 'cache-control')).toBe('no-store');
        }
      },
      { ...traits, core: target === '/null' },
    );
  }

  add(
    'the page has the headers of earlier middleware',
    async ({ get }) => {
      const response = await get('/null', { ...BROWSER, 'x-fixture': 'on' });
      expect(response.status).toBe(404);
      expect(headerOf(response, 'x-request-id')).toBe('fixture-1');
      expect(headerOf(response, 'set-cookie')).toBe('seen=1');
    },
    traits,
  );

  add(
    'asked for by its own address it is a 404',
    async ({ get, site }) => {
      const response = await get('/errors/not-found.html', BROWSER);
      expect(response.status).toBe(404);
      expect(response.body.equals(site.read('errors/not-found.html'))).toBe(true);
    },
    { ...traits, core: true },
  );

  add(
    'a render that fails gets the page for it, which is never stored',
    async ({ get, site, errors, engine }) => {
      for (let time = 1; time <= 2; time++) {
        const response = await get('/boom', BROWSER);
        expect(response.status).toBe(500);
        expect(response.body.equals(site.read('errors/failure.html'))).toBe(true);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        expect(headerOf(response, 'etag')).toBeUndefined();
        expect(errors).toHaveLength(time);
        expect(engine.renders('/boom')).toBe(time);
      }
    },
    traits,
  );

  add(
    "the application's own 404 and the routes' are left alone",
    async ({ get, site }) => {
      for (const target of ['/missing', '/api/missing']) {
        const response = await get(target, BROWSER);
        expect(response.status).toBe(404);
        expect(response.body.equals(site.read('errors/not-found.html'))).toBe(false);
      }
    },
    { ...traits, parity: false },
  );

  add(
    'other methods keep their short text',
    async ({ request }) => {
      const response = await request({ method: 'PUT', target: '/null', headers: BROWSER });
      expect(response.status).toBe(405);
      expect(headerOf(response, 'content-type') ?? 'text/plain').toMatch(/^text\/plain\b/);
    },
    { ...traits, parity: false },
  );
});
