import { vi } from 'vitest';

/** What a test waits for comes late on a busy machine; Vitest's second is for an idle one. */
const TIMEOUT_MS = 60_000;

const { waitFor } = vi;
vi.waitFor = (callback, options = {}) => {
  const chosen = typeof options === 'number' ? { timeout: options } : options;
  return waitFor(callback, { timeout: TIMEOUT_MS, ...chosen });
};
