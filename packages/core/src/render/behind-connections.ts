import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { SsrError } from '../errors.ts';
import type { Renderer } from './renderer.ts';

/** How long a render waits for others' connections at most. */
const MOST_MS = 20;
/** A connection is accepted in one turn, and what it asks is read in the next. */
const QUIET_TURNS = 2;

let accepted = 0;
let isCounting = false;

/**
 * For renders on the thread that serves: before one begins, connections that wait are accepted and
 * what they ask is read. Node accepts one connection in a turn of the event loop and a render is a
 * turn, so a server under renders would otherwise take hardly any new connection, not even to answer
 * from memory.
 */
export function behindConnections(renderer: Renderer): Renderer {
  let last: Promise<void> = Promise.resolve();
  return {
    ...renderer,
    // One after another: several that begin in one turn would be one long turn.
    render: async (job, signal) => {
      await (last = last.then(untilQuiet));
      if (signal.aborted) throw new SsrError('NG_SSR_RENDER_TIMEOUT', `${job.name} is given up`);
      return renderer.render(job, signal);
    },
  };
}

async function untilQuiet(): Promise<void> {
  if (!isCounting) subscribe('net.server.socket', () => accepted++);
  isCounting = true;
  const sinceMs = performance.now();
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    const before = accepted;
    await turn();
    quiet = accepted === before ? quiet + 1 : 0;
    if (performance.now() - sinceMs > MOST_MS) return;
  }
}
