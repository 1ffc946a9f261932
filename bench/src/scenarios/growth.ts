import { onGeneratedSite, staticOrder } from '../contestants/catalogue.ts';
import type { GeneratedSite } from '../contestants/generated-site.ts';
import type { Entry, Session } from '../measure/session.ts';
import { isFile } from '../measure/verdict.ts';
import { findScript, IDENTITY, readBuilt } from './built-files.ts';
import { generatePage, generateSite, pathOfPage } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const PAGE_BYTES = 16 * 1024;
const ADAPTERS = ['node', 'koa', 'fastify', 'express'] as const;
const LOGS = { nothing: 'no log', middleware: 'middleware', feature: 'withRequestLog()' } as const;
const HITS = ['after-middleware', 'before-middleware'] as const;

function site(pages: number, bytes: number, more: Partial<GeneratedSite> = {}): GeneratedSite {
  return {
    adapter: 'node',
    serveHits: 'after-middleware',
    folder: generateSite(pages, bytes),
    encodings: [],
    middlewares: 0,
    logs: 'nothing',
    ...more,
  };
}

function entry(scenario: string, name: string, of: GeneratedSite, x?: number): Entry {
  return {
    scenario,
    work: 'page',
    contestant: onGeneratedSite(name, of),
    path: '/',
    headers: IDENTITY,
    verdict: isFile(Buffer.from(generatePage(0, PAGE_BYTES))),
    ...(x === undefined ? {} : { x }),
  };
}

function scenario(
  name: string,
  title: string,
  entries: (session: Session) => readonly Entry[],
): Scenario {
  return {
    name,
    title,
    async run(session) {
      try {
        return await session.interleave(entries(session));
      } finally {
        await session.stopServers();
      }
    },
  };
}

/** What more pages, middlewares, connections, bytes and routes do to a hit. */
export const growthScenarios: readonly Scenario[] = [
  scenario('growth-held', 'hits with 1 to 100,000 held pages', (session) =>
    [1, 10, 100, 1000, 10_000, 100_000].map((pages) => {
      session.say(`writes a site of ${pages} pages`);
      const index = pages >> 1;
      return {
        ...entry('growth-held', `${pages} pages`, site(pages, PAGE_BYTES / 16), pages),
        path: pathOfPage(index),
        verdict: isFile(Buffer.from(generatePage(index, PAGE_BYTES / 16))),
      };
    }),
  ),
  scenario('growth-middleware', 'hits after 0 to 100 registered middlewares', () =>
    ADAPTERS.flatMap((adapter) =>
      HITS.flatMap((serveHits) =>
        [0, 10, 100].map((middlewares) => ({
          ...entry(
            'growth-middleware',
            `${adapter} ${serveHits} ${middlewares}`,
            site(1, PAGE_BYTES, { adapter, serveHits, middlewares }),
            middlewares,
          ),
          work: `${adapter} ${serveHits}`,
        })),
      ),
    ),
  ),
  scenario('growth-connections', 'hits on 10 to 1,000 connections', () =>
    [10, 100, 1000].flatMap((connections) =>
      HITS.map((serveHits) => ({
        ...entry(
          'growth-connections',
          `koa ${serveHits}`,
          site(1, PAGE_BYTES, { adapter: 'koa', serveHits }),
          connections,
        ),
        work: String(connections),
        connections,
      })),
    ),
  ),
  scenario('growth-size', 'hits on pages of 1 KB to 1 MB', () =>
    [1, 4, 16, 64, 256, 1024].map((kib) => ({
      ...entry('growth-size', `${kib} KiB`, site(1, kib * 1024), kib),
      verdict: isFile(Buffer.from(generatePage(0, kib * 1024))),
    })),
  ),
  scenario(
    'logging',
    'hits with a line logged for each request, by middleware and by withRequestLog(), and without',
    () =>
      ADAPTERS.flatMap((adapter) =>
        (['nothing', 'middleware', 'feature'] as const).map((logs) => ({
          ...entry('logging', `${adapter}, ${LOGS[logs]}`, site(1, PAGE_BYTES, { adapter, logs })),
          work: logs === 'nothing' ? 'off' : 'on',
        })),
      ),
  ),
  scenario('static-order', 'a static file before a router of 100 routes, and after it', () => {
    const script = findScript();
    return (['before', 'after'] as const).map((order) => ({
      ...entry('static-order', '', site(1, PAGE_BYTES)),
      work: 'script',
      contestant: staticOrder(order),
      path: `/${script}`,
      verdict: isFile(readBuilt('app', script)),
    }));
  }),
];
