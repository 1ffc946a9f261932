/** What a load ran into: what would have to be faster for more requests per second. */
export type Bound = 'server' | 'wrk' | 'cores, shared with wrk' | 'neither';

/** What a load kept busy, and what it could have. */
export interface Busy {
  readonly serverCores: number;
  /** As many as the server has threads that answer. */
  readonly serverThreads: number;
  readonly generatorCores: number;
  readonly generatorThreads: number;
  /** The cores that both share; undefined where each has its own. */
  readonly sharedCores: number | undefined;
}

/** Of what can be had, what counts as all. */
const FULL = 0.9;

/** Names what was busy all the time; on a machine with other work it may be neither. */
export function boundOf(busy: Busy): Bound {
  const { serverCores, serverThreads, generatorCores, generatorThreads, sharedCores } = busy;
  if (serverCores >= FULL * serverThreads) return 'server';
  if (generatorCores >= FULL * generatorThreads) return 'wrk';
  if (sharedCores !== undefined && serverCores + generatorCores >= FULL * sharedCores) {
    return 'cores, shared with wrk';
  }
  return 'neither';
}
