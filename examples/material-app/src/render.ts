/** How pages are rendered, for every server: each variable is the option of its name. */
export const render = {
  concurrency: readCount('RENDER_CONCURRENCY', 1),
  maxQueued: readCount('RENDER_MAX_QUEUED', 0),
  maxWaitMs: readCount('RENDER_MAX_WAIT_MS', 1),
  timeoutMs: readCount('RENDER_TIMEOUT_MS', 1),
  encodings: readEncodings(),
};

/** `RENDER_THREADS`: how many threads render, or `auto`. */
export const renderThreads = readThreads() ?? 0;

/** `RENDER_FAST=false` renders in Angular's own way. */
export const fast = process.env['RENDER_FAST'] !== 'false';

/** `zstd,br,gzip`, some of them, or `none`. */
function readEncodings(): ('br' | 'zstd' | 'gzip')[] | undefined {
  const value = process.env['RENDER_ENCODINGS'];
  if (!value) return undefined;
  // The server checks the names.
  return value === 'none' ? [] : (value.split(',') as ('br' | 'zstd' | 'gzip')[]);
}

function readThreads(): number | 'auto' | undefined {
  const isAuto = process.env['RENDER_THREADS'] === 'auto';
  return isAuto ? 'auto' : readCount('RENDER_THREADS', 0, 'auto, or ');
}

function readCount(name: string, least: number, others = ''): number | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= least) return count;
  // Thrown, it would come with the line of the bundle, which has thousands of characters.
  console.error(`${name} is "${value}"; allowed: ${others}a whole number, ${least} or more`);
  process.exit(1);
}
