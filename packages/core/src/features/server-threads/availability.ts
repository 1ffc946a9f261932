import { SsrError } from '../../errors.ts';
import type { ThreadedStart } from '../../threads/server-threads.ts';

/** The platforms on which libuv lets several sockets share a port, with connections spread over them. */
const PLATFORMS: ReadonlySet<string> = new Set(['linux', 'freebsd', 'dragonfly', 'sunos', 'aix']);

export const USE_CLUSTER = '; use node:cluster to serve on several cores';

/** The error of a `listen` with `reusePort`: platforms without it answer ENOTSUP. */
export function threadsUnavailableBy(error: unknown): unknown {
  const isUnsupported = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOTSUP';
  return isUnsupported
    ? toUnavailable(`${process.platform} has no SO_REUSEPORT${USE_CLUSTER}`, error)
    : error;
}

/** @param reason - With what to do instead. */
export function toUnavailable(reason: string, cause?: unknown): SsrError {
  const message = `withServerThreads() is not available: ${reason}`;
  return new SsrError('NG_SSR_THREADS_UNAVAILABLE', message, { cause });
}

/** Why this process cannot have server threads; undefined if it can. */
export function whyUnavailable({ isOwn, fd }: ThreadedStart): string | undefined {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined || deno !== undefined)
    return `only Node shares a port between threads${USE_CLUSTER}`;
  if (isOwn) return `threads cannot use the server of listen.server${USE_CLUSTER}`;
  // The socket is bound already, without SO_REUSEPORT.
  if (fd !== undefined) return 'an inherited socket has one thread; remove the feature';
  if (!hasReusePort(node))
    return `Node ${node} has no reusePort, but 22.12, 23.1 and later have${USE_CLUSTER}`;
  if (!PLATFORMS.has(process.platform))
    return `${process.platform} does not spread connections${USE_CLUSTER}`;
  // An import would load it in every server.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as { isWorker: boolean };
  return cluster.isWorker
    ? 'node:cluster already uses several cores; remove the feature'
    : undefined;
}

function hasReusePort(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 22 ? minor >= 12 : major === 23 ? minor >= 1 : major > 23;
}
