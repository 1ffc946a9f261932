import { setTimeout as wait } from 'node:timers/promises';
import type { SsrOptions } from '@ng-ssr/core';
import { type BuiltSite, writeBuiltSite } from './built-site.ts';
import { Client, type Reply } from './client.ts';
import { connectToThread } from './connect.ts';
import { type Journey, OPTIONS } from './journey.ts';
import type { Step } from './recorder.ts';
import type { Recording } from './recording.ts';
import type { StartServer } from './servers.ts';
import { createStubEngine } from './stub-engine.ts';
import { recordingOfThread } from './thread-recording.ts';

/** A server that does nothing for so long is done, encodings and refreshes included. */
const QUIET_MS = 150;

/**
 * Resolves just after a second of the clock has begun, at least one second from now: dates, ages and the bytes of
 * hits are made once a second, and so each traced request is the first of its second.
 */
async function nextSecond(): Promise<void> {
  const now = Date.now();
  const begin = Math.ceil((now + 1000) / 1000) * 1000;
  await wait(begin + AFTER_BEGIN_MS - now);
}

/** Resolves just after a timer of the server. */
async function nextStep(recording: Recording): Promise<void> {
  const before = await recording.stepCount();
  while ((await recording.stepCount()) === before) await wait(1);
}

/** Timers may be early by a millisecond. */
const AFTER_BEGIN_MS = 10;

/** Starts a server, makes one journey and returns its steps. */
export async function traceJourney(
  main: Recording,
  start: StartServer,
  journey: Journey,
): Promise<readonly Step[]> {
  const site = writeBuiltSite(journey.files);
  const engine = createStubEngine(journey.engine);
  // Server threads are started with this environment.
  process.env[SITE_VARIABLE] = site.folder;
  const server = await start({ ...optionsOf(journey, site), engine }, journey.threads);
  const thread = journey.threads === undefined ? undefined : recordingOfThread();
  const recordings = thread ? [thread, main] : [main];
  const client = thread ? await connectToThread(server.port, thread) : new Client(server.port);
  const startRecording = async (): Promise<void> => {
    for (const each of recordings) await each.start();
  };
  const untilQuiet = async (): Promise<void> => {
    for (let before = -1, count = 0; before !== count;) {
      before = count;
      await wait(QUIET_MS);
      count = 1;
      for (const each of recordings) count += await each.stepCount();
    }
  };
  try {
    await startRecording();
    let last: Reply = { status: 0, headers: {}, interim: 0 };
    for (const ask of journey.before) last = await client.send(ask);
    const slow = journey.meanwhile && client.send(journey.meanwhile);
    await untilQuiet();
    await nextSecond();
    if (journey.hasTicks) await nextStep(main);
    await startRecording();
    const reply = await client.send(journey.ask(last));
    await untilQuiet();
    const steps: Step[] = [];
    for (const each of recordings) steps.push(...(await each.stop()));
    engine.release();
    await slow;
    check(journey, reply);
    return steps;
  } finally {
    client.close();
    await server.close();
    thread?.close();
    site.dispose();
  }
}

/** The environment variable with the folder of the site. */
export const SITE_VARIABLE = 'NG_SSR_TRACE_SITE';

/** All options but the engine. */
export function optionsOf({ options }: Journey, site: BuiltSite): Omit<SsrOptions, 'engine'> {
  const given = typeof options === 'function' ? options(site) : options;
  return { ...OPTIONS, ...given, files: { folder: site.browserFolder } };
}

/** A journey that takes another way would have figures of that one. */
function check({ status, cacheStatus, headers, interim = 0 }: Journey, reply: Reply): void {
  const expected = { ...headers, ...(cacheStatus && { 'cache-status': cacheStatus }) };
  const isExpected = Object.entries(expected).every(([name, value]) =>
    value.test(String(reply.headers[name] ?? '')),
  );
  if (reply.status === status && reply.interim === interim && isExpected) return;
  throw new Error(
    `answered ${reply.status} with ${JSON.stringify(reply.headers)} after ${reply.interim} interim responses; ` +
      `expected: ${status} after ${interim}, with ${Object.entries(expected).join(', ') || 'any'}`,
  );
}
