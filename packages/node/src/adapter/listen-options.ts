import type { Server as NetServer } from 'node:net';
import { assertKnownOptions, check, isOptionObject } from '@ng-ssr/core/adapter';
import { checkShutdown } from '@ng-ssr/core/shutdown';
import type { ListenOptions } from './listen.ts';

const NAMES: readonly string[] = [
  'port',
  'host',
  'fd',
  'server',
  'threads',
  'announce',
  'shutdown',
] satisfies readonly (keyof ListenOptions)[];

/**
 * Checks what `listen` is called with, but for `port`, `fd` and `threads`, which depend on the process.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function checkListen<Own extends NetServer>(options: ListenOptions<Own> | undefined): void {
  if (options === undefined) return;
  // As with node:http and frameworks.
  const isPort = typeof options === 'number' || typeof options === 'string';
  const example = isPort ? `, as in listen({ port: ${Number(options) || 4000} })` : '';
  check('listen()', options, isOptionObject(options), `an object of options${example}`);
  assertKnownOptions(options, NAMES, 'listen');
  const { host, server, announce, shutdown } = options;
  const isHost = host === undefined || typeof host === 'string';
  check('listen.host', host, isHost, 'an address or a host name');
  const isFlag = announce === undefined || typeof announce === 'boolean';
  check('listen.announce', announce, isFlag, 'true or false');
  const isNew = typeof server?.listen === 'function' && !server.listening;
  const allowed = 'a server that does not listen yet';
  check('listen.server', server, server === undefined || isNew, allowed);
  checkShutdown(shutdown, 'listen.shutdown');
}
