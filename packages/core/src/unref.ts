/** Lets a process of Node end before its timer. Timers of other runtimes are numbers, and keep nothing alive. */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}
