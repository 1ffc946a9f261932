import { onGeneratedSite } from '../contestants/catalogue.ts';
import type { Entry } from '../measure/session.ts';
import { isFileIn, isFile, isNotModified } from '../measure/verdict.ts';
import { IDENTITY } from './built-files.ts';
import { generatePage, generateSite } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const PAGE_BYTES = 68 * 1024;
const HITS = ['after-middleware', 'before-middleware'] as const;

/** One page twice on one server: prerendered, and rendered and stored. */
export const storedScenario: Scenario = {
  name: 'stored',
  title: 'a stored rendered page beside the same page prerendered: identity, br, 304',
  quick: { seconds: 9, without: 'hits before middleware and adapters other than Koa' },
  async run(session) {
    const { isQuick } = session.effort;
    const adapters = isQuick
      ? (['koa'] as const)
      : (['node', 'koa', 'fastify', 'express'] as const);
    const page = Buffer.from(generatePage(0, PAGE_BYTES));
    const entries = adapters.flatMap((adapter) =>
      (isQuick ? HITS.slice(0, 1) : HITS).flatMap((serveHits) => {
        const server = onGeneratedSite(`${adapter} ${serveHits}`, {
          adapter,
          serveHits,
          folder: generateSite(1, PAGE_BYTES),
          encodings: ['br'],
          // Without any, hits come first in either case.
          middlewares: 1,
          logs: 'nothing',
        });
        return (['held', 'stored'] as const).flatMap((kind): readonly Entry[] => {
          const entry = {
            scenario: 'stored',
            contestant: server,
            server: `${server.name} ${kind}`,
            path: kind === 'held' ? '/' : '/stored',
          };
          const encoded = { 'accept-encoding': 'br' };
          const whole = { ...entry, work: 'page', headers: IDENTITY, verdict: isFile(page) };
          // Pages are measured in every adapter; what differs by encoding is the same in all.
          if (adapter !== 'koa') return [whole];
          return [
            whole,
            {
              ...entry,
              work: 'br',
              headers: encoded,
              verdict: isFileIn('br', page),
              settles: true,
            },
            {
              ...entry,
              work: '304',
              headers: IDENTITY,
              revalidates: 'tag',
              verdict: isNotModified,
            },
          ];
        });
      }),
    );
    try {
      return await session.interleave(entries);
    } finally {
      await session.stopServers();
    }
  },
};
