import { again, type Journey, third } from './journey.ts';

/** Only here do several sockets of one process share a port. */
const hasThreads = process.platform === 'linux';

/** Requests that a server thread answers. */
export const threadJourneys: Readonly<Record<string, Journey>> = hasThreads
  ? {
      'thread-hit': {
        ...again({ target: '/' }),
        status: 200,
        cacheStatus: /hit/,
        isHit: true,
        threads: 2,
        adapters: ['node'],
      },
      'thread-stored-hit': {
        ...again({ target: '/stored/1' }),
        status: 200,
        cacheStatus: /hit/,
        isHit: true,
        threads: 2,
        adapters: ['node'],
      },
      'thread-miss': {
        ...third('/stored'),
        status: 200,
        cacheStatus: /stored/,
        threads: 2,
        adapters: ['node'],
      },
    }
  : {};
