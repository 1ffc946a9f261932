import { errorMonitor, type EventEmitter } from 'node:events';
import { Server } from 'node:net';
import { endWithFailure, followStart, noteStart } from '@ng-ssr/core/shutdown';
import { type FetchServer, isSrvx, runtimeServer, type SrvxServer } from './fetch-server.ts';

/** Notes whether a server listens, or why it cannot: then the process ends with 1. */
export function followFetchStart(server: FetchServer): void {
  const inner = runtimeServer(server);
  // Those of Bun and Deno listen when they are there.
  if (!(inner instanceof Server)) return inner === undefined ? undefined : noteStart();
  followStart(inner);
  if (isSrvx(server)) followSrvx(server, inner);
}

/**
 * srvx handles the errors of its server. Where nothing waits for its `ready()`, it prints the error with its stack, and
 * sets the exit code, but connections of a page store or a database would keep the process alive.
 */
function followSrvx({ options }: SrvxServer, inner: EventEmitter): void {
  inner.once(errorMonitor, (error) => {
    if (process.exitCode) return;
    Object.assign(options, { silent: true });
    setImmediate(() => {
      if (process.exitCode) endWithFailure(error);
    });
  });
}
