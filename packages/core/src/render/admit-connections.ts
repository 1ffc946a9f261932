import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';

/** The longest time that a render waits for connections. */
const MAX_MS = 20;
/** A connection is accepted in one turn of the event loop, and its request is read in the next. */
const QUIET_TURNS = 2;

let accepted = 0;
let isCounting = false;
let last: Promise<unknown> = Promise.resolve();

/**
 * Accepts the pending connections and reads their requests before a render starts on the main thread. Node
 * accepts one connection per turn of the event loop, and a render takes a turn, so a server under load would
 * otherwise accept hardly any connection, not even to answer it from memory.
 *
 * @returns whether connections may still be pending.
 */
export function admitConnections(): Promise<boolean> {
  // One after another: several renders that start in one turn would make it one long turn.
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
    if (performance.now() - sinceMs > MAX_MS) return quiet === 0;
  }
  return false;
}
