import { SsrError } from '../../errors.ts';
import type { ThreadedStart } from '../../threads/server-threads.ts';

/** The platforms on which libuv lets several sockets share a port, with connections spread over them. */
const PLATFORMS: ReadonlySet<string> = new Set(['linux', 'freebsd', 'dragonfly', 'sunos', 'aix']);

/** The error of a `listen` with `reusePort`: platforms without it answer ENOTSUP. */
export function threadsUnavailableBy(error: unknown): unknown {
  const isUnsupported = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOTSUP';
  return isUnsupported ? toUnavailable(`${process.platform} has no SO_REUSEPORT`, error) : error;
}

/** The error for a reason: it names the alternative. */
export function toUnavailable(reason: string, cause?: unknown): SsrError {
  const message = `withServerThreads() is not available: ${reason}; use node:cluster to serve on several cores`;
  return new SsrError('NG_SSR_THREADS_UNAVAILABLE', message, { cause });
}

/** Why this process cannot have server threads; undefined if it can. */
export function whyUnavailable({ isOwn, fd }: ThreadedStart): string | undefined {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined || deno !== undefined) return 'only Node shares a port between threads';
  if (isOwn) return 'threads cannot use the server of listen.server';
  // The socket is bound already, without SO_REUSEPORT.
  if (fd !== undefined) return 'an inherited socket works with one thread only';
  if (!hasReusePort(node))
    return `Node ${node} has no reusePort: Node 22.12, 23.1 and later have it`;
  if (!PLATFORMS.has(process.platform)) return `${process.platform} does not spread connections`;
  // An import would load it in every server.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as { isWorker: boolean };
  return cluster.isWorker ? 'this process is a worker of node:cluster already' : undefined;
}

function hasReusePort(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 22 ? minor >= 12 : major === 23 ? minor >= 1 : major > 23;
}
