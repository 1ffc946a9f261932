import { setTimeout as wait } from 'node:timers/promises';
import { writeBuiltSite } from './built-site.ts';
import { Client, type Reply } from './client.ts';
import { type Journey, OPTIONS } from './journeys.ts';
import type { Recorder, Step } from './recorder.ts';
import type { servers } from './servers.ts';
import { createStubEngine } from './stub-engine.ts';

/** A server that does nothing for so long is done, codings and refreshes included. */
const QUIET_MS = 150;

/** Starts a server, makes one journey and returns its steps. */
export async function traceJourney(
  recorder: Recorder,
  start: (typeof servers)[string],
  journey: Journey,
): Promise<readonly Step[]> {
  const site = writeBuiltSite();
  const engine = createStubEngine();
  const { browserFolder } = site;
  const server = await start({
    ...OPTIONS,
    ...journey.options,
    files: { folder: browserFolder },
    engine,
  });
  const client = new Client(server.port);
  const untilQuiet = async (): Promise<void> => {
    for (let before = -1; before !== recorder.stepCount;) {
      before = recorder.stepCount;
      await wait(QUIET_MS);
    }
  };
  try {
    recorder.start();
    let last: Reply = { status: 0, headers: {} };
    for (const ask of journey.before) last = await client.send(ask);
    const slow = journey.meanwhile && client.send(journey.meanwhile);
    await untilQuiet();
    recorder.start();
    const reply = await client.send(journey.ask(last));
    await untilQuiet();
    const steps = recorder.stop();
    engine.release();
    await slow;
    check(journey, reply);
    return steps;
  } finally {
    client.close();
    await server.close();
    site.dispose();
  }
}

/** A journey that takes another way would have figures of that one. */
function check({ status, cacheStatus }: Journey, reply: Reply): void {
  const received = String(reply.headers['cache-status'] ?? '');
  if (reply.status === status && (cacheStatus === undefined || cacheStatus.test(received))) return;
  throw new Error(
    `answered ${reply.status} with Cache-Status ${JSON.stringify(received)}; expected: ` +
      `${status} and ${cacheStatus ?? 'any'}`,
  );
}
