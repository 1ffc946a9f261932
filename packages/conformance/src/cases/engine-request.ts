import { expect } from 'vitest';
import { FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { onlySeen } from '../expectations.ts';

/** The request that the engine gets. */
export const engineRequest = caseFile('engine request', (add) => {
  const targets = ['/echo', '/echo?a=1&b=%20x&a=2', '/echo?q=%C3%A4+%2B', '/echo?', '/echo/'];
  for (const target of targets) {
    add(`${target} arrives with host, path and query`, async ({ get, engine }) => {
      await get(target);
      expect(onlySeen(engine)).toMatchObject({
        method: 'GET',
        url: new URL(target, `http://${FIXTURE_HOST}`).href,
      });
    });
  }

  add('the port of the Host is kept', async ({ get, engine }) => {
    await get('/echo', { host: 'ports.example:8443' });
    expect(onlySeen(engine).url).toBe('http://ports.example:8443/echo');
  });

  add('what the visitor sent arrives', async ({ get, engine }) => {
    const headers = {
      cookie: 'session=abc; theme=dark',
      authorization: 'Bearer xyz',
      'accept-language': 'de, en;q=0.5',
      'user-agent': 'conformance',
      'x-custom': 'value',
    };
    await get('/echo', headers);
    expect(onlySeen(engine).headers).toMatchObject(headers);
  });

  add(
    'lines of one header arrive as one list',
    async ({ raw, engine }) => {
      const lines = 'X-Custom: one\r\nX-Custom: two\r\n';
      await raw(`GET /echo HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n${lines}\r\n`);
      expect(onlySeen(engine).headers['x-custom']).toBe('one, two');
    },
    { wire: true },
  );

  add('a range never reaches the engine', async ({ get, engine }) => {
    await get('/echo', { range: 'bytes=0-9' });
    expect(onlySeen(engine).headers).not.toHaveProperty('range');
  });

  add("the engine was set up once, with the server's options", async ({ engine, site, get }) => {
    await get('/echo');
    expect(engine.setups).toHaveLength(1);
    expect(engine.setups[0]).toMatchObject({ browserFolder: site.browserFolder });
    expect(engine.setups[0]?.allowedHosts).toContain(FIXTURE_HOST);
  });
});
