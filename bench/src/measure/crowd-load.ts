import { Agent, request } from 'node:http';

/** One answer, and how long its last byte took. */
export interface CrowdAnswer {
  readonly ms: number;
  readonly status: number;
  readonly cacheStatus: string;
}

/** A number of requests from a number of connections, each of which waits for its answer. */
export interface CrowdLoad {
  /** The n-th target, which counts from 0. */
  readonly path: (n: number) => string;
  readonly requests: number;
  readonly connections: number;
  /** The connections begin one after another within this time, not in one burst. */
  readonly beginsWithinMs: number;
}

/** Sends them all. */
export async function loadCrowd(
  origin: string,
  { path, requests, connections, beginsWithinMs }: CrowdLoad,
): Promise<readonly CrowdAnswer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: CrowdAnswer[] = [];
  let sent = 0;
  const connection = async (_: unknown, index: number): Promise<void> => {
    const waitMs = (index / connections) * beginsWithinMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    while (sent < requests) answers.push(await ask(agent, origin + path(sent++)));
  };
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    agent.destroy();
  }
  return answers;
}

function ask(agent: Agent, url: string): Promise<CrowdAnswer> {
  return new Promise((resolve, reject) => {
    const sinceMs = performance.now();
    const headers = { accept: 'text/html', 'accept-encoding': 'identity' };
    request(url, { agent, headers }, (answer) => {
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          ms: performance.now() - sinceMs,
          status: answer.statusCode ?? 0,
          cacheStatus: String(answer.headers['cache-status']),
        }),
      );
      answer.resume();
    })
      .once('error', reject)
      .end();
  });
}
