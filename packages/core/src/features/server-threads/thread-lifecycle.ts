import type { ServerLifecycle } from '../../threads/server-threads.ts';
import type { MainLink } from './main-link.ts';

/** Starts and closes the handler of a server thread: the main thread's does most of it for all. */
export function toLifecycle(
  main: MainLink,
  start: () => void,
  close: () => Promise<void>,
): ServerLifecycle {
  let ready: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  const askReady = (): Promise<void> => {
    if (ready !== undefined) return ready;
    ready = main.ask((id) => ({ kind: 'ready', id })).reply as Promise<void>;
    start();
    return ready;
  };
  return {
    get isDraining() {
      return main.state === 'draining';
    },
    probeState() {
      void askReady();
      return main.state;
    },
    ready: askReady,
    hold: () => void (ready ??= Promise.resolve()),
    watch() {},
    // The main thread says when.
    drain() {},
    close: () => (closed ??= close()),
  };
}
