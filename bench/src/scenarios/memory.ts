import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { limits, ourServers } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { get } from '../measure/request.ts';
import type { Row } from '../measure/row.ts';
import { settle } from '../measure/server.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import { threadServers } from '../contestants/thread-servers.ts';
import { homePageFile } from './built-files.ts';
import { generateSite } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'memory';
const CONNECTIONS = 3000;
/** Connections that are there before, so that what the first ones bring along does not count. */
const FIRST = 500;
const PAGES = 1200;
const PAGE_BYTES = 85 * 1024;
const BROTLI = { 'accept-encoding': 'br' };
/** A garbage collection of a server that rests is under way within this time. */
const REST_MS = 3000;

/** What a connection keeps of a server's memory between two requests, and what a second server thread adds. */
export const memoryScenario: Scenario = {
  name: NAME,
  title:
    'resident memory: of a connection that has had a hit and waits, and of a second server thread',
  async run(session) {
    const ours = ourServers().filter(({ name }) => name.startsWith('ng-ssr node'));
    const node = limits(homePageFile).find(({ runtime }) => runtime === 'node')!;
    const connections = [];
    for (const contestant of [...ours, node]) {
      const { name } = contestant;
      const values = await inRounds(session, name, () => perConnection(session, contestant));
      connections.push(row('idle connection', name, values, 'KB'));
    }
    return [...connections, ...(await measureThreads(session))];
  },
};

async function measureThreads(session: Session): Promise<readonly Row[]> {
  const folder = generateSite(PAGES, PAGE_BYTES);
  const rows = [];
  for (const { server, contestant } of threadServers([1, 2])) {
    if (!server.startsWith('ng-ssr node threads')) continue;
    const own = { ...contestant, env: { ...contestant.env, FOLDER: folder } };
    const values = await inRounds(session, server, () => residentMb(session, own));
    rows.push(row('server with 102 MB of pages', server, values, 'MB'));
  }
  const [one, two] = rows.map(({ value }) => value!.median);
  return [...rows, row('second thread', 'ng-ssr node', [two! - one!], 'MB')];
}

async function inRounds(
  session: Session,
  name: string,
  measure: () => Promise<number>,
): Promise<readonly number[]> {
  const values = [];
  for (let round = 0; round < session.effort.rounds; round++) {
    session.say(`${name} ${round + 1}/${session.effort.rounds}`);
    try {
      values.push(await measure());
    } finally {
      await session.stopServers();
    }
  }
  return values;
}

/** Kilobytes for each connection, between a few and many that all have had the page once. */
async function perConnection(session: Session, contestant: Contestant): Promise<number> {
  const { origin, pid } = await session.server(contestant);
  await settle(pid);
  const { wireBytes } = await get(`${origin}/`, BROTLI);
  const sockets: Socket[] = [];
  const openAll = async (count: number): Promise<number> => {
    for (let i = 0; i < count; i++) sockets.push(await askOnce(new URL(origin), wireBytes));
    await wait(REST_MS);
    return residentKb(pid);
  };
  try {
    const before = await openAll(FIRST);
    return ((await openAll(CONNECTIONS)) - before) / CONNECTIONS;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** A connection that has had one answer. */
async function askOnce({ hostname, port, host }: URL, wireBytes: number): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  const head = ['GET / HTTP/1.1', `Host: ${host}`, 'Accept-Encoding: br', '', ''];
  socket.write(head.join('\r\n'));
  // A few headers of ours differ from those of the request that was measured.
  while (socket.bytesRead < wireBytes * 0.95) await once(socket, 'data');
  return socket;
}

async function residentMb(session: Session, contestant: Contestant): Promise<number> {
  const { origin, pid } = await session.server(contestant);
  await settle(pid);
  await get(`${origin}/`, BROTLI);
  await wait(REST_MS);
  return residentKb(pid) / 1024;
}

function residentKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}

function row(work: string, server: string, values: readonly number[], unit: string): Row {
  const id = `${NAME}/${work}/${server}`;
  return { id, scenario: NAME, work, server, value: spreadOf(values), unit };
}
