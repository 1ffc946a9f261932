/**
 * A process of its own for each adapter: its arguments are the adapter and the journeys, and it sends
 * the steps of each to its parent. It is started with `--import traced-modules.ts`, since the modules that a
 * module imports are loaded before it runs.
 */
import { journeys } from './journeys.ts';
import type { Step } from './recorder.ts';
import { servers } from './servers.ts';
import { traceJourney } from './trace-journey.ts';
import { recorder } from './traced-modules.ts';

/** The message to the parent. */
export interface Traced {
  readonly journey: string;
  readonly steps: readonly Step[];
}

const [adapter = '', ...names] = process.argv.slice(2);
for (const journey of names) {
  try {
    const steps = await traceJourney(recorder, servers[adapter]!, journeys[journey]!);
    process.send!({ journey, steps } satisfies Traced);
  } catch (cause) {
    throw new Error(`${adapter}: the journey ${journey} could not be traced`, { cause });
  }
}
process.disconnect();
