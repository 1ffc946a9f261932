import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect as connectPlainly, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as connectSecurely } from 'node:tls';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import type { RequestEvent } from '@ng-ssr/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseResponse, type ParsedResponse } from '../../../conformance/src/response-parser.ts';
import { prerendered, writeBuiltSite } from '../../../core/test/built-site.ts';
import { selfSigned } from '../self-signed.ts';
import { threadsMissing } from '../threads/threads-missing.ts';
import { PLACEHOLDER, type RecordedSettings, type ThreadRecord, TOKEN } from './recorded-server.ts';

const REQUESTS = 150;
const pair = selfSigned();

/** A way to serve. */
interface Way {
  readonly threads?: number;
  readonly isSecure?: boolean;
}

/** What a server has sent and noted. */
interface Recorded {
  readonly answers: readonly unknown[];
  readonly log: readonly unknown[];
  readonly events: readonly unknown[];
  readonly metrics: readonly string[];
  readonly pages: readonly unknown[];
  readonly readByNode: number;
}

/**
 * That a server that answers hits on the socket sends and notes the same as one that does not: answers, access log, events, metrics and hits.
 *
 * @param program - Calls `serveRecorded`.
 * @param secureThreads - In how many threads it can serve over TLS.
 */
export function defineSocketHitsDifferential(
  program: string,
  secureThreads: readonly (1 | 2)[],
): void {
  const ways: [name: string, way: Way, isSkipped: boolean][] = [
    ['in one thread', {}, false],
    ['in server threads', { threads: 2 }, threadsMissing !== undefined],
  ];
  if (secureThreads.includes(1)) ways.push(['over TLS', { isSecure: true }, pair === undefined]);
  if (secureThreads.includes(2)) {
    ways.push([
      'over TLS in server threads',
      { isSecure: true, threads: 2 },
      (pair && threadsMissing) !== undefined,
    ]);
  }
  describe.each(ways)('%s', (_name, way, isSkipped) => {
    test.skipIf(isSkipped)(
      `answering hits on the socket changes no answer, log, event, metric or hit count (seed ${seed})`,
      { timeout: 300_000 },
      async () => {
        const [ahead, nodes] = await Promise.all([
          record(program, way, true),
          record(program, way, false),
        ]);
        const { readByNode: read, ...own } = ahead;
        const { readByNode: all, ...expected } = nodes;
        expect(own).toEqual(expected);
        expect(own.events).toHaveLength(REQUESTS);
        // Private and missing pages are rendered.
        expect(read).toBeLessThan(0.5 * all);
      },
    );
  });
}

async function record(program: string, way: Way, hasSocketHits: boolean): Promise<Recorded> {
  const { threads = 1, isSecure = false } = way;
  const folder = writeBuiltSite({
    'browser/index.html': prerendered(`<i nonce="${PLACEHOLDER}">${'x'.repeat(20_000)}</i>`),
    'browser/robots.txt': 'Allow: /',
    ...(pair && { 'key.pem': pair.key, 'cert.pem': pair.cert }),
  });
  const settings: RecordedSettings = { folder, hasSocketHits, threads, isSecure };
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const connection = await open(Number(line), way);
  const random = new Random(seed);
  const answers: unknown[] = [];
  let etag = '"none"';
  for (let i = 0; i < REQUESTS; i++) {
    const { method, target, headers } = requestOf(random, etag);
    const answer = await connection.ask(target, headers, method);
    etag = headerOf(answer, 'etag') ?? etag;
    answers.push({ method, target, headers, answer: comparable(answer) });
  }
  const metrics = String((await connection.ask('/api/metrics')).body)
    .split('\n')
    .filter((each) => /^ng_ssr_(?:requests|stores|shed)_total/.test(each))
    // Those of the paths below /api, by which the test finds its thread.
    .filter((each) => !/status="203"|outcome="no-store"/.test(each));
  const listed = await pagesOf(connection);
  connection.socket.destroy();
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  const records = readdirSync(join(folder, '..'))
    .filter((name) => name.startsWith('record-'))
    .map((name) => JSON.parse(readFileSync(join(folder, '..', name), 'utf8')) as ThreadRecord);
  return {
    answers,
    metrics,
    pages: listed,
    log: records.flatMap(({ log }) => log.filter(isRecorded).map(withoutTimes)),
    events: records.flatMap(({ events }) => events.filter(isRecorded).map(withoutTimes)),
    readByNode: records.reduce((sum, each) => sum + each.readByNode, 0),
  };
}

function requestOf(random: Random, etag: string) {
  const headers = ['User-Agent: test'];
  if (random.chance(0.2)) headers.push(`If-None-Match: ${etag}`);
  if (random.chance(0.1)) headers.push('Range: bytes=0-9');
  if (random.chance(0.3)) headers.push(`Accept-Language: ${random.pick(['de', 'en'])}`);
  if (random.chance(0.2)) headers.push('Accept-Encoding: gzip');
  const method = random.chance(0.1) ? 'HEAD' : random.chance(0.02) ? 'POST' : 'GET';
  const hits = ['/', '/robots.txt', '/stored', '/stored', '/varied', '/moved?a=1', '/nonce'];
  const target = random.chance(0.9) ? random.pick(hits) : '/private';
  return { method, target, headers };
}

/** One connection, which sends one request at a time. */
class Client {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    onTestFinished(() => void socket.destroy());
  }

  async ask(target: string, headers: readonly string[] = [], method = 'GET') {
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''];
    this.socket.write(lines.join('\r\n'));
    for (;;) {
      const [chunk] = (await once(this.socket, 'data')) as [Buffer];
      this.#received = Buffer.concat([this.#received, chunk]);
      const parsed = parseResponse(this.#received, method, false);
      if (parsed === null) continue;
      this.#received = this.#received.subarray(parsed.consumed);
      return parsed.response;
    }
  }
}

/** Opens a connection: in a server with threads, one that is not the main thread's. */
async function open(port: number, { threads, isSecure = false }: Way): Promise<Client> {
  for (;;) {
    const address = { port, host: '127.0.0.1', servername: 'localhost', ca: pair?.cert };
    const socket = isSecure ? connectSecurely(address) : connectPlainly(address);
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    const client = new Client(socket);
    const { body } = await client.ask('/api/thread');
    if (threads === undefined || String(body) !== '0') return client;
    socket.destroy();
  }
}

/** The stored pages with their hits, once all threads have sent them. */
async function pagesOf(client: Client): Promise<readonly unknown[]> {
  const list = async (): Promise<{ path: string; hits: number }[]> => {
    const { body } = await client.ask('/inspector/pages', [`Authorization: Bearer ${TOKEN}`]);
    const { pages } = JSON.parse(String(body)) as { pages: { path: string; hits: number }[] };
    return pages
      .map(({ path, hits }) => ({ path, hits }))
      .sort((a, b) => b.hits - a.hits || a.path.localeCompare(b.path));
  };
  for (let earlier = '', later = '[]'; ; earlier = later) {
    later = JSON.stringify(await list());
    if (later === earlier) return JSON.parse(later) as unknown[];
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** An answer without times and nonces. */
function comparable({ headers, body, ...rest }: ParsedResponse): unknown {
  const timeless = headers.map(([name, value]) => {
    if (/^(?:date|last-modified)$/i.test(name)) return [name, 'a date'];
    if (/^age$/i.test(name)) return [name, 'the age'];
    return [name, withoutNonce(value.replace(/ttl=\d+/, 'ttl=0'))];
  });
  return { ...rest, headers: timeless, body: withoutNonce(String(body)) };
}

function withoutNonce(text: string): string {
  return text.replaceAll(/(?<=nonce(?:-|="))[\w+/=]{24}/g, 'the nonce');
}

function headerOf({ headers }: ParsedResponse, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** Whether a request is one of those whose answers are compared. */
function isRecorded({ target }: RequestEvent): boolean {
  return !target.startsWith('/api/') && !target.startsWith('/inspector/');
}

function withoutTimes({ timeMs, durationMs, cacheStatus, ...rest }: RequestEvent): unknown {
  const isTimed = timeMs > 0 && durationMs >= 0;
  return { ...rest, cacheStatus: cacheStatus.replace(/ttl=\d+/, 'ttl=0'), isTimed };
}
