import { readFileSync } from 'node:fs';
import { onGeneratedSite } from '../contestants/catalogue.ts';
import type { Row } from '../measure/row.ts';
import { get } from '../measure/request.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import { generateSite } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const PAGE_BYTES = 68 * 1024;
const COUNTS = [10, 1000];

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) * 1024;
}

async function startOnce(session: Session, pages: number): Promise<{ ms: number; rss: number }> {
  const site = {
    adapter: 'node' as const,
    serveHits: 'after-middleware' as const,
    folder: generateSite(pages, PAGE_BYTES),
    encodings: [],
    middlewares: 0,
    logs: 'nothing' as const,
  };
  const contestant = { ...onGeneratedSite(`start with ${pages}`, site), settles: false };
  const start = performance.now();
  try {
    const server = await session.server(contestant);
    const answer = await get(`${server.origin}/`);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return { ms: performance.now() - start, rss: residentBytes(server.pid) };
  } finally {
    await session.stopServers();
  }
}

/** From the start of a process to its first answer, and what a held page takes in memory. */
export const startScenario: Scenario = {
  name: 'start',
  title: 'cold start with 10 and 1,000 prerendered pages; memory per held page',
  quick: { seconds: 6 },
  async run(session) {
    const times = new Map(COUNTS.map((pages) => [pages, [] as number[]]));
    const memory = new Map(COUNTS.map((pages) => [pages, [] as number[]]));
    for (const pages of COUNTS) await startOnce(session, pages); // Fills the file cache.
    for (let round = 0; round < session.effort.rounds; round++) {
      for (const pages of COUNTS) {
        session.say(`start ${round + 1}/${session.effort.rounds} with ${pages} pages`);
        const { ms, rss } = await startOnce(session, pages);
        times.get(pages)!.push(ms);
        memory.get(pages)!.push(rss);
      }
    }
    const perPage = memory
      .get(1000)!
      .map((rss, round) => (rss - memory.get(10)![round]!) / (1000 - 10) - PAGE_BYTES);
    const rows: Row[] = COUNTS.map((pages) => ({
      id: `start/first answer/${pages} pages`,
      scenario: 'start',
      work: 'first answer',
      server: `${pages} pages`,
      value: spreadOf(times.get(pages)!),
      unit: 'ms',
      x: pages,
      note: 'Pages of 68 KiB, node adapter, without an engine and encodings; the file cache is warm.',
    }));
    rows.push({
      id: 'start/memory/per page',
      scenario: 'start',
      work: 'memory',
      server: 'per page',
      value: spreadOf(perPage),
      unit: 'bytes beside its own',
      note: 'Resident memory after start, 1,000 against 10 pages of 68 KiB, less the page itself.',
    });
    return rows;
  },
};
