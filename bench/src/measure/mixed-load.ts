import { Agent } from 'node:http';
import { fetchOnce } from './fetch-once.ts';

/** Milliseconds of every hit and every render. */
export interface MixedTimes {
  readonly hits: number[];
  readonly renders: number[];
}

/** Every tenth request of each connection is a render; each connection waits for its answer. */
export async function loadMixed(
  origin: string,
  { hit, render, seconds, connections = 20 }: Readonly<MixedLoad>,
): Promise<MixedTimes> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: MixedTimes = { hits: [], renders: [] };
  const end = performance.now() + seconds * 1000;
  const connection = async (offset: number): Promise<void> => {
    for (let i = offset; performance.now() < end; i++) {
      const isRender = i % 10 === 9;
      const start = performance.now();
      await fetchOnce(agent, origin + (isRender ? render : hit));
      (isRender ? times.renders : times.hits).push(performance.now() - start);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, i) => connection(i)));
  } finally {
    agent.destroy();
  }
  return times;
}

/** What a mixed load is made of. */
export interface MixedLoad {
  hit: string;
  render: string;
  seconds: number;
  connections?: number;
}
