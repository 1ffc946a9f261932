import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { FAILURE_MARKUP, FAILURE_TEXT } from '../stub-pages.ts';

/** Ways a render can fail, and the code that `onError` gets. */
const FAILURES: Readonly<Record<string, readonly [target: string, code: string]>> = {
  'a render that throws': ['/boom', 'NG_SSR_RENDER_FAILED'],
  'a render that rejects': ['/reject', 'NG_SSR_RENDER_FAILED'],
  'a page that fails half-way': ['/halfway', 'NG_SSR_BODY_FAILED'],
};

/** Failures of the application. */
export const errors = caseFile('errors', (add) => {
  for (const [label, [target, code]] of Object.entries(FAILURES)) {
    add(`${label} is a plain 500`, async ({ get, engine }) => {
      const response = await get(target);
      expect(response.status).toBe(500);
      expect(headerOf(response, 'cache-control')).toBe('no-store');
      expect(headerOf(response, 'etag')).toBeUndefined();
      expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
      expect(response.body.includes(FAILURE_TEXT)).toBe(false);
      expect(response.body.includes('half')).toBe(false);
      expect(response.body.includes('    at ')).toBe(false);
      expect(engine.renders(target)).toBe(1);
    });

    add(`${label} is reported to onError once`, async ({ get, errors }) => {
      await get(target);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBeInstanceOf(Error);
      expect(errors[0]).toMatchObject({ code, cause: expect.objectContaining({}) });
      expect(String((errors[0] as Error).cause)).toContain(FAILURE_TEXT);
    });

    add(
      `${label} says why where errorDetails is on`,
      async ({ get }) => {
        const response = await get(target);
        expect(response.status).toBe(500);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        expect(response.body.toString()).toContain(FAILURE_TEXT);
      },
      { profile: 'error details', parity: false, core: true },
    );

    add(
      `the server goes on after ${label}`,
      async ({ get, expectAlive }) => {
        await Promise.all([get(target), get(target), get(target)]);
        await expectAlive();
      },
      { parity: false },
    );
  }

  add('a render that rejects with nothing is a 500', async ({ get, errors }) => {
    expect((await get('/reject-undefined')).status).toBe(500);
    expect(errors).toHaveLength(1);
  });

  add(
    'a page that leaves an error unhandled is answered, and stored by no cache',
    async ({ get, engine }) => {
      for (let renders = 1; renders <= 2; renders++) {
        const response = await get('/unhandled');
        expect(response.status).toBe(200);
        expect(response.body.includes('In spite of an error')).toBe(true);
        expect(response.body.includes(FAILURE_TEXT)).toBe(false);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        expect(headerOf(response, 'cdn-cache-control')).toBeUndefined();
        expect(engine.renders('/unhandled')).toBe(renders);
      }
    },
  );

  add(
    'an error that a page leaves unhandled is reported to onError once, with the URL',
    async ({ get, errors }) => {
      await get('/unhandled?a=1');
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ code: 'NG_SSR_ERROR_UNHANDLED' });
      const { message, cause } = errors[0] as Error;
      expect(message).toMatch(/GET \/unhandled\?a=1 \(https?:\/\/[^/]+\/unhandled\?a=1\)/);
      expect(message).toContain(FAILURE_TEXT);
      expect(String(cause)).toContain(FAILURE_TEXT);
    },
  );

  add(
    "an error's text never becomes markup",
    async ({ get }) => {
      const response = await get('/boom-markup');
      expect(response.status).toBe(500);
      if (/html/i.test(headerOf(response, 'content-type') ?? 'text/html')) {
        expect(response.body.includes(FAILURE_MARKUP)).toBe(false);
      } else {
        expect(headerOf(response, 'content-type')).toMatch(/^text\/plain\b/);
      }
    },
    { profile: 'error details', parity: false, core: true },
  );

  add(
    'requests that are refused are not reported as failed renders',
    async ({ get, errors }) => {
      await get('/about', { host: 'evil.example' });
      await get('/%ff');
      await get('/missing');
      await get('/null');
      const codes = errors.map((error) => (error as { code?: string }).code);
      expect(codes).not.toContain('NG_SSR_RENDER_FAILED');
      expect(codes).not.toContain('NG_SSR_BODY_FAILED');
    },
    { parity: false },
  );
});
