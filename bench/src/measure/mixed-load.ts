import { Agent, request } from 'node:http';

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
      await once(agent, origin + (isRender ? render : hit));
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

function once(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'identity' };
    request(url, { agent, headers }, (answer) => {
      answer.once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
      answer.resume();
    })
      .once('error', reject)
      .end();
  });
}
