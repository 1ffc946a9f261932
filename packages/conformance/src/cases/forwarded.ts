import { expect } from 'vitest';
import { FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectRefused, expectWhole, onlySeen } from '../expectations.ts';

const FORWARDED = {
  'x-forwarded-host': 'a.tenants.example',
  'x-forwarded-proto': 'https',
};

/** Headers of a proxy, trusted only when configured. */
export const forwarded = caseFile({ file: 'forwarded', core: true }, (add) => {
  const trusted = { profile: 'trusted proxy' } as const;

  add('without trust they decide nothing', async ({ get, engine }) => {
    await get('/echo', FORWARDED);
    expect(onlySeen(engine).url).toBe(`http://${FIXTURE_HOST}/echo`);
  });

  add(
    'without trust the engine does not see them',
    async ({ get, engine }) => {
      await get('/echo', {
        ...FORWARDED,
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-port': '8443',
        'x-forwarded-prefix': '/evil',
      });
      const names = Object.keys(onlySeen(engine).headers);
      expect(names.filter((name) => name.startsWith('x-forwarded-'))).toEqual([]);
    },
    { core: false },
  );

  add('without trust the Forwarded header is not seen either', async ({ get, engine }) => {
    await get('/echo', { forwarded: 'host=evil.example;proto=https' });
    expect(onlySeen(engine).url).toBe(`http://${FIXTURE_HOST}/echo`);
    expect(onlySeen(engine).headers).not.toHaveProperty('forwarded');
  });

  add('without trust a malformed one changes nothing', async ({ get, site }) => {
    const response = await get('/about', {
      'x-forwarded-host': 'evil/#',
      'x-forwarded-proto': '!',
    });
    expectWhole(response, site.read('about/index.html'));
  });

  add(
    'with trust they make the URL',
    async ({ get, engine }) => {
      await get('/echo?x=1', FORWARDED);
      expect(onlySeen(engine).url).toBe('https://a.tenants.example/echo?x=1');
    },
    { ...trusted, core: false },
  );

  add(
    'with trust the host may carry a port',
    async ({ get, engine }) => {
      const headers = { 'x-forwarded-host': 'a.tenants.example:8443', 'x-forwarded-port': '8443' };
      await get('/echo', { ...FORWARDED, ...headers });
      expect(onlySeen(engine).url).toBe('https://a.tenants.example:8443/echo');
    },
    trusted,
  );

  add(
    'with trust and nothing forwarded the Host counts',
    async ({ get, engine }) => {
      await get('/echo');
      expect(onlySeen(engine).url).toBe(`http://${FIXTURE_HOST}/echo`);
    },
    trusted,
  );

  add(
    'with trust a forwarded host decides, whatever the Host is',
    async ({ get, site }) => {
      const headers = { ...FORWARDED, host: '10.0.0.7:4000' };
      expectWhole(await get('/about', headers), site.read('about/index.html'));
    },
    trusted,
  );

  for (const value of ['evil.example', 'tenants.example']) {
    add(
      `with trust the host ${value} is not allowed`,
      async ({ get, engine }) => {
        for (const target of ['/about', '/rendered']) {
          expectRefused(await get(target, { 'x-forwarded-host': value }), engine);
        }
      },
      trusted,
    );
  }

  for (const value of ['shop.example#', 'a@shop.example', 'shop.example/x', '[::1', 'a b', ':80']) {
    add(
      `with trust the host ${JSON.stringify(value)} is malformed`,
      async ({ get, engine }) => {
        for (const target of ['/about', '/rendered']) {
          expectRefused(await get(target, { 'x-forwarded-host': value }), engine);
        }
      },
      trusted,
    );
  }

  add(
    'with trust a malformed Host is still refused',
    async ({ get, engine }) => {
      expectRefused(await get('/rendered', { ...FORWARDED, host: '127.0.0.1#' }), engine);
    },
    { ...trusted, wire: true, core: false },
  );

  add(
    'with trust an odd scheme is no failure',
    async ({ get, engine }) => {
      for (const value of ['javascript', 'https, http', 'HTTPS', 'http://', '']) {
        const response = await get('/echo', { 'x-forwarded-proto': value });
        expect(response.status, value).toBeLessThan(500);
      }
      expect(engine.seen.length).toBeGreaterThan(0);
      for (const { url } of engine.seen) expect(url).toMatch(/^https?:\/\/shop\.example\/echo$/);
    },
    trusted,
  );

  add(
    'trust in one header is no trust in another',
    async ({ get, engine }) => {
      await get('/echo', FORWARDED);
      expect(onlySeen(engine).url).toBe('http://a.tenants.example/echo');
      expect(onlySeen(engine).headers).not.toHaveProperty('x-forwarded-proto');
    },
    { profile: 'trusted proxy host' },
  );
});
