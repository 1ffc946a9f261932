/**
 * A process of its own for each adapter: its arguments are the adapter and the journeys, and it sends
 * the steps of each to its parent. It is started with `--import traced-modules.ts`, since the modules that a
 * module imports are loaded before it runs. Server threads run it, too: they serve the only journey.
 */
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { journeys } from './journeys.ts';
import type { Step } from './recorder.ts';
import { recordingOf } from './recording.ts';
import { servers } from './servers.ts';
import { createStubEngine } from './stub-engine.ts';
import { answerMainThread } from './thread-recording.ts';
import { optionsOf, SITE_VARIABLE, traceJourney } from './trace-journey.ts';
import { recorder } from './traced-modules.ts';

/** The message to the parent. */
export interface Traced {
  readonly journey: string;
  readonly steps: readonly Step[];
}

const [adapter = '', ...names] = process.argv.slice(2);
if (isMainThread) await traceAll();
else await serve();

async function traceAll(): Promise<void> {
  for (const journey of names) {
    try {
      const recording = recordingOf(recorder);
      const steps = await traceJourney(recording, servers[adapter]!, journeys[journey]!);
      process.send!({ journey, steps } satisfies Traced);
    } catch (cause) {
      throw new Error(`${adapter}: the journey ${journey} could not be traced`, { cause });
    }
  }
  process.disconnect();
}

async function serve(): Promise<void> {
  const journey = journeys[names[0]!]!;
  const folder = process.env[SITE_VARIABLE]!;
  answerMainThread(recorder);
  const options = optionsOf(journey, { folder, browserFolder: join(folder, 'browser') });
  await servers[adapter]!(
    { ...options, engine: createStubEngine(journey.engine) },
    journey.threads,
  );
}
