import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectRefused, expectWhole } from '../expectations.ts';
import { hostQuestions } from '../host-questions.ts';
import { CSV, expectWholeFile } from '../large-file-fixtures.ts';
import { BUILT_HOST } from '../stub-engine.ts';

let hosts = 0;

/** A host that no server was asked for yet. */
function newHost(domain: string): string {
  return `h${++hosts}.${domain}`;
}

function timesAsked(host: string): number {
  return hostQuestions.filter((each) => each === host).length;
}

const TRAITS = { profile: 'asked hosts' } as const;

/** Hosts on which a function decides. */
export const askedHosts = caseFile('asked hosts', (add) => {
  add(
    'the first request of a host gets a page, a file and a large file',
    async ({ get, site }) => {
      const file = await get('/about', { host: newHost('asked.example') });
      expectWhole(file, site.read('about/index.html'));
      const large = await get(CSV, { host: newHost('asked.example') });
      expectWholeFile(large, site.read(CSV.slice(1)));
      expect((await get('/rendered', { host: newHost('asked.example') })).status).toBe(200);
    },
    TRAITS,
  );

  add(
    'a host is asked for once, however it is spelt and however many ask',
    async ({ get, engine }) => {
      const host = newHost('asked.example');
      const spellings = [host, host.toUpperCase(), `${host}:80`, `${host}.`, `${host}.:80`];
      const answers = await Promise.all(spellings.map((each) => get('/echo', { host: each })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(timesAsked(host)).toBe(1);
      const urls = new Set(engine.seen.map(({ url }) => url));
      expect(urls).toEqual(new Set([`http://${host}/echo`]));
    },
    { ...TRAITS, parity: false },
  );

  add(
    'a stored page is answered to a host that is remembered, without a question',
    async ({ get, engine }) => {
      const host = newHost('asked.example');
      const first = await get('/stored/page/asked', { host });
      const second = await get('/stored/page/asked', { host });
      expect([first.status, second.body]).toEqual([200, first.body]);
      expect(headerOf(second, 'cache-status')).toMatch(/; hit/);
      expect([engine.renders(), timesAsked(host)]).toEqual([1, 1]);
    },
    { ...TRAITS, parity: false },
  );

  add(
    'a host that is refused gets 400 for everything, and costs one question',
    async ({ get, request, engine }) => {
      const host = newHost('refused.example');
      for (const target of ['/about', CSV, '/rendered', '/about']) {
        const refused = await get(target, { host });
        expectRefused(refused, engine);
        expect(headerOf(refused, 'cache-control')).toBe('no-store');
        const head = await request({ method: 'HEAD', target, headers: { host } });
        expect([head.status, head.body.length]).toEqual([400, 0]);
      }
      expect(timesAsked(host)).toBe(1);
    },
    TRAITS,
  );

  add(
    'while the function fails a host gets 503, and the next request asks again',
    async ({ get, engine }) => {
      for (const target of ['/about', CSV, '/rendered']) {
        const host = newHost('unsure.example');
        const unsure = await get(target, { host });
        expect(unsure.status).toBe(503);
        expect(headerOf(unsure, 'cache-control')).toBe('no-store');
        expect(headerOf(unsure, 'retry-after')).toBe('1');
        expect(engine.renders()).toBe(0);
        expect((await get('/about', { host })).status).toBe(200);
        expect(timesAsked(host)).toBe(2);
      }
    },
    TRAITS,
  );

  add(
    "a user's route answers a host that is not decided",
    async ({ get }) => {
      const response = await get('/api/time', { host: newHost('refused.example') });
      expect(response.status).toBe(200);
    },
    { ...TRAITS, parity: false },
  );

  add(
    'a malformed host, and one of the build, are not asked for',
    async ({ get, engine }) => {
      expectRefused(await get('/about', { host: 'a@b' }), engine);
      expect((await get('/about', { host: BUILT_HOST })).status).toBe(200);
      // Servers in other processes ask over a connection: what they had to ask before this is there after it.
      expect((await get('/about', { host: newHost('asked.example') })).status).toBe(200);
      expect(hostQuestions.filter((host) => /@|^built/.test(host))).toEqual([]);
    },
    { ...TRAITS, wire: true },
  );
});
