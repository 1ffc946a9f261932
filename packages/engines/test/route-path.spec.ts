import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Location } from '@angular/common';
import { DefaultUrlSerializer, PRIMARY_OUTLET, type UrlSegmentGroup } from '@angular/router';
import type { SsrOptions } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterAll, expect, it } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';

/** NG_SSR_PATHS_RUNS makes it longer. */
const runs = Number(process.env['NG_SSR_PATHS_RUNS'] ?? 1000);

/** Picks a number below another. */
function toPick(): (end: number) => number {
  const random = new Random(seed);
  return (end) => random.below(end);
}

const site = mkdtempSync(join(tmpdir(), 'ng-ssr-paths-'));
const siteWithBase = mkdtempSync(join(tmpdir(), 'ng-ssr-paths-'));
writeFileSync(join(siteWithBase, 'index.csr.html'), '<base href="/en/">');
afterAll(() => {
  rmSync(site, { recursive: true });
  rmSync(siteWithBase, { recursive: true });
});

/** The route that Angular takes a path for: what `Location` and the router's serializer make of it. */
function routeOf(target: string, base = ''): string {
  // The engine is given a path without needless escapes.
  const path = target.replaceAll(/%(?:[46][1-9a-f]|[57][0-9a]|3\d|2d|2e|5f|7e)/gi, (octet) =>
    /[\w.~-]/.test(decodeURIComponent(octet)) ? decodeURIComponent(octet) : octet,
  );
  const { pathname } = new URL(`http://localhost${path}`);
  // @angular/ssr takes it off once, `Location` once more.
  const url = pathname.endsWith('/index.html') ? pathname.slice(0, -11) : pathname;
  const location = new Location({ getBaseHref: () => `${base}/`, onPopState() {} } as never);
  let group: UrlSegmentGroup | undefined;
  try {
    group = new DefaultUrlSerializer().parse(location.normalize(url)).root;
  } catch {
    return '/'; // As `Router.parseUrl` falls back.
  }
  const segments: string[] = [];
  for (; group !== undefined; group = group.children[PRIMARY_OUTLET]) {
    segments.push(...group.segments.map(({ path }) => encodeURIComponent(path)));
  }
  return `/${segments.join('/')}`;
}

/** A server whose every page may be stored by its own word, and counts its renders. */
function server(options: Partial<SsrOptions> = {}) {
  let renders = 0;
  const handler = new SsrHandler({
    engine: () => {
      const headers = { 'cache-control': 's-maxage=60', 'content-type': 'text/html' };
      return new Response(`render ${++renders}`, { headers });
    },
    allowedHosts: ['localhost'],
    files: { folder: site },
    ...options,
  });
  const get = async (target: string): Promise<{ text: string; cache: string; status: number }> => {
    const exchange = plainExchange(target);
    const answer = handler.answer(exchange) ?? (await handler.render(exchange))!;
    const { status, headers, body } = answer;
    const cache = headers[headers.findIndex((name) => /^cache-status$/i.test(name)) + 1]!;
    return { status, text: Buffer.from(body!).toString(), cache };
  };
  return { handler, get };
}

/** Ways to write a path that Angular may take for another. */
const SPELLINGS: readonly ((path: string, pick: (end: number) => number) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path};x=1`,
  (path) => `${path};`,
  (path) => `${path};;a=b;c`,
  (path) => `${path};=1`,
  (path) => `${path};x=1/`,
  (path) => `${path}/index.html`,
  (path) => `${path}/index%2ehtml`,
  (path) => `${path}//`,
  (path) => `${path}//other`,
  (path) => `${path}(aside:x)`,
  (path) => `${path}(other)`,
  (path) => `${path})`,
  (path) => `${path}(`,
  (path) => `/(${path.slice(1)})`,
  (path) => `/(${path.slice(1)}//aside:x)`,
  (path) => `/(primary:${path.slice(1)})`,
  (path) => path.replace(/\/(\w)/, '/;a=1/$1'),
  (path) => path.replace(/(\w)\//, '$1;a=1/'),
  (path) => path.replace(/(\w)\//, '$1;=1/'),
  (path) => path.replace(/\/(\w+)$/, '/($1)'),
  (path, pick) => {
    const at = 1 + pick(path.length - 1);
    const code = path.charCodeAt(at);
    if (path[at] === '/' || path[at] === '%' || /%.?$/.test(path.slice(0, at))) return path;
    const hex = code.toString(16).padStart(2, '0');
    return `${path.slice(0, at)}%${pick(2) ? hex : hex.toUpperCase()}${path.slice(at + 1)}`;
  },
  (path) => path.replaceAll('@', '%40').replaceAll("'", '%27'),
  (path) => path.replaceAll('%C3%A9', '%c3%a9'),
  (path) => `/en${path}`,
];

const PATHS = [
  ...['/account', '/account/orders', '/account/orders/7', '/caf%C3%A9', "/a@b/it's"],
  ...['/a$b,c&d:e/f!g', '/x%3By/z', '/x%2Fy', '/x+y=z', '/en/account', '/**'],
];

it('a spelling is the route of Angular, and is plain, or is never stored', async () => {
  const pick = toPick();
  for (const base of ['', '/en']) {
    const folder = base === '' ? site : siteWithBase;
    const rules = { '/**': { sMaxAge: 60 }, ...forbidden(PATHS, base) };
    const { get, handler } = server({ files: { folder }, routeRules: rules });
    // Those of the rules first: nothing of them may be stored, by whatever name.
    for (let run = 0; run < runs; run++) {
      let target = PATHS[pick(PATHS.length)]!;
      for (let times = pick(3); times >= 0; times--) {
        target = SPELLINGS[pick(SPELLINGS.length)]!(target, pick);
      }
      const { cache, status } = await get(target);
      if (status === 400) continue;
      const name = `NG_SSR_FUZZ_SEED=${seed} run ${run}: ${base} ${target}`;
      const route = routeOf(target, base);
      const isForbidden = FORBIDDEN.some((path) => routeOf(path, base) === route);
      if (isForbidden) expect(cache, name).toContain('detail=rule');
    }
    expect(handler.cache.inspect().pages.map(({ path }) => path)).not.toContain('/account');
  }
}, 60_000);

const FORBIDDEN = PATHS.filter((path) => path !== '/**' && path !== '/x+y=z');

function forbidden(paths: readonly string[], base: string): SsrOptions['routeRules'] {
  const ours = paths.filter((path) => FORBIDDEN.includes(path));
  return Object.fromEntries(ours.map((path) => [base + path, { cache: false }]));
}

it('a purge of one spelling reaches every other', async () => {
  const pick = toPick();
  for (const base of ['', '/en']) {
    const { get, handler } = server({ files: { folder: base === '' ? site : siteWithBase } });
    for (let run = 0; run < runs; run++) {
      const path = PATHS[pick(PATHS.length)]!;
      const spelt = (): string => {
        let target = path;
        for (let times = pick(3); times > 0; times--) {
          target = SPELLINGS[pick(SPELLINGS.length)]!(target, pick);
        }
        return target;
      };
      const [one, other] = [spelt(), spelt()];
      if (/^\/\//.test(one) || routeOf(one, base) !== routeOf(other, base)) continue;
      const first = await get(other);
      if (first.status === 400) continue;
      await handler.cache.purge({ path: one, hard: true });
      const name = `NG_SSR_FUZZ_SEED=${seed} run ${run}: ${base} purge of ${one} for ${other}`;
      expect((await get(other)).text, name).not.toBe(first.text);
    }
  }
}, 60_000);

it.each([
  ...['/account/', '/account;x=1', '/account;x=1/', '/account;', '/account/index.html'],
  ...['/(account)', '/account(aside:x)', '/account//x', '/account)x', '/%61ccount'],
  '/account;=1/x',
])('%s falls under the rule of /account', async (target) => {
  const { get } = server({ routeRules: { '/account': { cache: false } } });
  expect((await get('/other')).cache).toContain('stored');
  expect((await get(target)).cache).toContain('detail=rule');
  expect((await get(target)).cache).toContain('detail=rule');
});
