/**
 * How pages are rendered, for every server: each variable is the option of its name, and says how
 * many or how long.
 */
export const render = {
  concurrency: readCount('RENDER_CONCURRENCY', 1),
  maxQueued: readCount('RENDER_MAX_QUEUED', 0),
  deadlineMs: readCount('RENDER_DEADLINE_MS', 1),
  timeoutMs: readCount('RENDER_TIMEOUT_MS', 1),
};

function readCount(name: string, least: number): number | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= least) return count;
  // Thrown, it would come with the line of the bundle, which has thousands of characters.
  console.error(`${name} is "${value}": allowed is a whole number, ${least} or more`);
  process.exit(1);
}
