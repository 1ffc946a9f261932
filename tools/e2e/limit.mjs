/**
 * Runs at most this many jobs at a time, in the order in which they are given.
 *
 * @returns Takes a job, and resolves with its result.
 */
export function createLimit(concurrency) {
  const waiting = [];
  let running = 0;
  const next = () => {
    if (running === concurrency || waiting.length === 0) return;
    running++;
    const { job, resolve, reject } = waiting.shift();
    job()
      .then(resolve, reject)
      .finally(() => {
        running--;
        next();
      });
  };
  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      next();
    });
}
