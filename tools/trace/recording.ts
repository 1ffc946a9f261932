import type { Recorder, Step } from './recorder.ts';

/** What a process records: the steps of one thread or of several. */
export interface Recording {
  /** Forgets earlier steps. */
  start(): Promise<void>;
  /** How many steps there are so far. */
  stepCount(): Promise<number>;
  stop(): Promise<readonly Step[]>;
}

/** The steps of this thread. */
export function recordingOf(recorder: Recorder): Recording {
  return {
    start: async () => recorder.start(),
    stepCount: async () => recorder.stepCount,
    stop: async () => recorder.stop(),
  };
}
