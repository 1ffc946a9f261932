import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile, type CaseTraits } from '../conformance-case.ts';
import { PUBLIC_CONFIG_ELEMENT } from '../public-config-fixture.ts';
import { stubPage } from '../stub-pages.ts';

/** The public configuration of a server, in every page that it sends. */
export const publicConfig = caseFile({ file: 'public config', core: true }, (add) => {
  const traits: CaseTraits = { profile: 'public config', parity: false };
  const html = { accept: 'text/html' };
  const withElement = (page: string): string =>
    page.replace(/<meta charset="utf-8">|(?<!<meta charset="utf-8">)<title>/, (found) =>
      found === '<title>' ? PUBLIC_CONFIG_ELEMENT + found : found + PUBLIC_CONFIG_ELEMENT,
    );

  for (const [target, file] of [
    ['/about', 'about/index.html'],
    ['/index.csr.html', 'index.csr.html'],
  ] as const) {
    add(
      `${target} has it first in its head`,
      async ({ get, site }) => {
        const expected = withElement(site.read(file).toString());
        const whole = await get(target, html);
        expect(whole.status).toBe(200);
        expect(whole.body.toString()).toBe(expected);
        expect(headerOf(whole, 'content-length')).toBe(String(Buffer.byteLength(expected)));
        const encoded = await get(target, { ...html, 'accept-encoding': 'gzip' });
        const { body } = encoded;
        const isEncoded = headerOf(encoded, 'content-encoding') === 'gzip';
        expect((isEncoded ? gunzipSync(body) : body).toString()).toBe(expected);
      },
      { ...traits, core: target !== '/about' },
    );

    add(
      `${target} is a 304 for its tag alone, never for a date: the file does not know the configuration`,
      async ({ get }) => {
        const first = await get(target, html);
        const tag = headerOf(first, 'etag') ?? '';
        expect(headerOf(first, 'last-modified')).toBeUndefined();
        expect((await get(target, { ...html, 'if-none-match': tag })).status).toBe(304);
        const since = { 'if-modified-since': 'Fri, 20 Nov 2099 12:00:00 GMT' };
        expect((await get(target, { ...html, ...since })).status).toBe(200);
      },
      traits,
    );
  }

  add(
    'the error page has it',
    async ({ get }) => {
      const response = await get('/null', html);
      expect(response.status).toBe(404);
      expect(response.body.toString()).toMatch(/^<!doctype html><script /);
      expect(response.body.toString()).toContain(PUBLIC_CONFIG_ELEMENT);
    },
    { ...traits, core: false },
  );

  add(
    'the engine gets it for its document, and the stored page has it',
    async ({ get }) => {
      for (let time = 0; time < 2; time++) {
        const response = await get('/configured', html);
        expect(response.status).toBe(200);
        expect(response.body.toString()).toBe(withElement(stubPage('Configured')));
      }
    },
    { ...traits, core: false },
  );

  add(
    'a page of an engine that leaves it out, and files that are no pages, are sent as they are',
    async ({ get, site }) => {
      expect((await get('/rendered', html)).body.toString()).toBe(stubPage('Rendered'));
      const styles = await get('/styles-QWERTY23.css');
      expect(styles.body.equals(site.read('styles-QWERTY23.css'))).toBe(true);
      expect(headerOf(styles, 'last-modified')).toBeDefined();
    },
    traits,
  );
});
