import { Agent, request } from 'node:http';

/** What hits and renders took while both went on. */
export interface PacedTimes {
  /** Milliseconds from when a hit was due: one that could not be sent in time has waited too. */
  readonly hits: readonly number[];
  readonly renders: number;
}

/** Hits at a fixed rate, whatever they take, and renders in a loop on some connections. */
export async function loadPaced(
  origin: string,
  load: {
    readonly hit: string;
    readonly hitsPerSecond: number;
    readonly render: string;
    readonly renderConnections: number;
    readonly seconds: number;
  },
): Promise<PacedTimes> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const end = start + load.seconds * 1000;
  const hits: number[] = [];
  let renders = 0;

  const renderLoop = async (): Promise<void> => {
    while (performance.now() < end) {
      await fetchOnce(agent, origin + load.render);
      if (performance.now() < end) renders++;
    }
  };
  const hitLoop = async (): Promise<void> => {
    const under: Promise<void>[] = [];
    const everyMs = 1000 / load.hitsPerSecond;
    for (let due = start; due < end; due += everyMs) {
      const waitMs = due - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      // Timers fire up to a millisecond early.
      const dueAt = Math.min(due, performance.now());
      under.push(
        fetchOnce(agent, origin + load.hit).then(() => void hits.push(performance.now() - dueAt)),
      );
    }
    await Promise.all(under);
  };
  try {
    await Promise.all([hitLoop(), ...Array.from({ length: load.renderConnections }, renderLoop)]);
  } finally {
    agent.destroy();
  }
  return { hits, renders };
}

function fetchOnce(agent: Agent, url: string): Promise<void> {
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
