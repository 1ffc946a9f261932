import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@ng-ssr/conformance/fuzz';

/** A request that was sent and had no whole answer. */
export interface Lost {
  readonly path: string;
  /** The code or message of the error. */
  readonly error: string;
  /** The client's port; 0 when there was no connection. */
  readonly port: number;
  /** Whether the connection had carried a request before. */
  readonly isReused: boolean;
  /** Whether it was sent before {@link Load.markRead} was called. */
  readonly isRead?: boolean;
  /** How long its connection was idle at most: since the request before it was sent, in milliseconds. */
  readonly idleMs?: number;
}

/** Clients that ask a server until it refuses connections. */
export interface Load {
  readonly lost: Lost[];
  /** Whole answers. */
  answered: number;
  /** Of these, those whose request was sent when {@link Load.markSignal} had been called. */
  answeredLate: number;
  /** Answers that were not 200, by status. */
  readonly others: Map<number, number>;
  /** To be called when the server is sure to read what was sent before, whatever comes later. */
  markRead(): void;
  markSignal(): void;
  /** Resolves when the server refuses connections. */
  readonly done: Promise<void>;
}

interface ClientKind {
  readonly clients: number;
  readonly keepAlive: boolean;
  /** Between an answer and the next request, at most, in milliseconds. */
  readonly pauseMs: number;
}

/** Together less than what one core serves: a server that is never idle hides what is lost. */
const KINDS: readonly ClientKind[] = [
  { clients: 6, keepAlive: true, pauseMs: 4 },
  { clients: 10, keepAlive: true, pauseMs: 60 },
  { clients: 4, keepAlive: true, pauseMs: 300 },
  { clients: 4, keepAlive: false, pauseMs: 30 },
];

const PATHS = ['/', '/about', '/rendered?ms=5', '/slow?ms=80', '/api/echo'];

/** Starts clients with kept connections and with new ones, for held pages, renders and routes. */
export function startLoad(port: number, random: Random): Load {
  let isSignalled = false;
  let isMarked = false;
  const clients = KINDS.flatMap((kind) =>
    Array.from({ length: kind.clients }, () => runClient(kind)),
  );
  const load: Load = {
    lost: [],
    answered: 0,
    answeredLate: 0,
    others: new Map(),
    markRead: () => void (isMarked = true),
    markSignal: () => void (isSignalled = true),
    done: Promise.resolve(),
  };
  return Object.assign(load, { done: Promise.all(clients).then(() => undefined) });

  async function runClient({ keepAlive, pauseMs }: ClientKind): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    let sentAtMs = performance.now();
    for (;;) {
      await delay(random.below(pauseMs + 1));
      const path = random.pick(PATHS);
      const isLate = isSignalled;
      const isRead = !isMarked;
      const idleMs = performance.now() - sentAtMs;
      sentAtMs += idleMs;
      const outcome = await ask(port, agent, path);
      if (outcome === 'refused') break;
      if (typeof outcome === 'number') {
        load.answered++;
        if (isLate) load.answeredLate++;
        if (outcome !== 200) load.others.set(outcome, (load.others.get(outcome) ?? 0) + 1);
      } else {
        load.lost.push({ ...outcome, isRead, idleMs });
      }
    }
    agent.destroy();
  }
}

/** @returns the status; `refused` when there is no server. */
export function ask(
  port: number,
  agent: Agent | false,
  path: string,
): Promise<number | 'refused' | Lost> {
  return new Promise((resolve) => {
    const content = path === '/api/echo' ? 'content '.repeat(100) : undefined;
    const method = content === undefined ? 'GET' : 'POST';
    const asked = request({ port, host: '127.0.0.1', agent, path, method });
    let clientPort = 0;
    asked.on('socket', (socket) => {
      if (!socket.connecting) clientPort = socket.localPort ?? 0;
      else socket.once('connect', () => (clientPort = socket.localPort ?? 0));
    });
    const fail = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ECONNREFUSED') return resolve('refused');
      const isReused = asked.reusedSocket;
      resolve({ path, error: error.code ?? error.message, port: clientPort, isReused });
    };
    asked.on('error', fail);
    asked.on('response', (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', fail);
      response.on('end', () => {
        const { 'content-length': length } = response.headers;
        const isWhole = response.complete && (length === undefined || Number(length) === bytes);
        if (isWhole) resolve(response.statusCode!);
        else fail(new Error('not whole'));
      });
    });
    asked.end(content);
  });
}
