import { expect, it } from 'vitest';
import { boundOf } from '../src/measure/bound.ts';

it.each([
  ['server', 0.97, 1, 0.4, undefined],
  ['server', 0.97, 1, 0.95, undefined],
  ['wrk', 0.6, 1, 0.95, undefined],
  ['neither', 0.6, 1, 0.5, undefined],
  ['server', 1.85, 2, 0.1, 2],
  ['cores, shared with wrk', 1.6, 2, 0.35, 2],
  ['wrk', 1.0, 2, 0.95, 2],
  ['neither', 1.2, 2, 0.3, 2],
])(
  '%s: %f cores of %i threads, wrk %f',
  (bound, serverCores, serverThreads, generatorCores, sharedCores) => {
    const busy = { serverCores, serverThreads, generatorCores, generatorThreads: 1, sharedCores };
    expect(boundOf(busy)).toBe(bound);
  },
);
