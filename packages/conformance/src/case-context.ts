import { expect } from 'vitest';
import {
  createHttp1Client,
  type ClientRequest,
  type ClientResponse,
  requestBytes,
} from './client.ts';
import type { FixtureSite } from './fixture-site.ts';
import { RawConnection } from './raw-client.ts';
import type { ParsedResponse } from './response-parser.ts';
import type { TurnLog } from './results/wire-log.ts';
import type { RunningServer } from './running-server.ts';
import type { StubEngine } from './stub-engine.ts';

/** What a case can use. */
export interface CaseContext {
  readonly site: FixtureSite;
  /** The engine of the case's server; its counts start at zero for each case. */
  readonly engine: StubEngine;
  /** Errors passed to `onError` since the case began. */
  readonly errors: readonly unknown[];
  /** Whether the server runs in another process, so that its events cannot be observed here. */
  readonly isInOtherProcess: boolean;
  /** The port on which the server listens; undefined without one. */
  readonly port: number | undefined;
  /** Sends one request. */
  request(request: ClientRequest): Promise<ClientResponse>;
  /** Sends a GET. */
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<ClientResponse>;
  /** Opens a connection for raw bytes; for cases with the trait `wire`. */
  connect(): Promise<RawConnection>;
  /** Sends bytes on a new connection and reads one response. */
  raw(bytes: string, method?: string): Promise<ParsedResponse>;
  /** Starts another server with the same options, which the case must close. */
  start(): Promise<RunningServer>;
  /** Shows that the server still answers: one hit and one render. */
  expectAlive(): Promise<void>;
}

/**
 * Makes the context of one case.
 *
 * @param site - The fixture site.
 * @param running - The case's server.
 * @param start - Starts another one.
 * @param record - Called with every response of the case.
 * @param startTurn - Called when a request or a connection of the case begins: records it.
 */
export function createCaseContext(
  site: FixtureSite,
  running: RunningServer,
  start: () => Promise<RunningServer>,
  record: (response: ClientResponse) => void,
  startTurn?: () => TurnLog,
): CaseContext {
  const { server, engine, errors } = running;
  const port = () => {
    if (server.port === undefined) throw new Error('This case needs a server with a port.');
    return server.port;
  };
  const client = server.client ?? createHttp1Client(port());
  const request = async (wanted: ClientRequest) => {
    const turn = startTurn?.();
    turn?.sent(requestBytes(wanted));
    const response = await client.request(wanted);
    turn?.received(response);
    record(response);
    return response;
  };
  const connect = () => {
    const turn = startTurn?.();
    const onResponse = (response: ParsedResponse) => {
      turn?.received(response);
      record(response);
    };
    return RawConnection.open(port(), onResponse, turn?.sent);
  };
  return {
    site,
    engine,
    errors,
    isInOtherProcess: server.isInOtherProcess === true,
    port: server.port,
    request,
    get: (target, headers = {}) => request({ target, headers }),
    connect,
    async raw(bytes, method) {
      const connection = await connect();
      try {
        connection.write(bytes);
        return await connection.read(method);
      } finally {
        connection.end();
      }
    },
    start,
    async expectAlive() {
      expect((await client.request({ target: '/' })).status).toBe(200);
      expect((await client.request({ target: '/rendered' })).status).toBe(200);
    },
  };
}
