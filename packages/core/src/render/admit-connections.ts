import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';

/** How long a render waits for connections at most. */
const MOST_MS = 20;
/** A connection is accepted in one turn, and what it asks is read in the next. */
const QUIET_TURNS = 2;

let accepted = 0;
let isCounting = false;
let last: Promise<unknown> = Promise.resolve();

/**
 * For renders on the thread that serves, before one begins: the connections that wait are accepted, and
 * what they ask is read. Node accepts one connection in a turn of the event loop and a render is a turn,
 * so a server under renders would otherwise take hardly any new connection, not even to answer from
 * memory.
 *
 * @returns whether connections may still wait.
 */
export function admitConnections(): Promise<boolean> {
  // One after another: several renders that begin in one turn would be one long turn.
  const admitted = last.then(untilQuiet);
  last = admitted;
  return admitted;
}

async function untilQuiet(): Promise<boolean> {
  if (!isCounting) subscribe('net.server.socket', () => accepted++);
  isCounting = true;
  const sinceMs = performance.now();
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    const before = accepted;
    await turn();
    quiet = accepted === before ? quiet + 1 : 0;
    if (performance.now() - sinceMs > MOST_MS) return quiet === 0;
  }
  return false;
}
