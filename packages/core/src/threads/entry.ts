import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SsrError } from '../errors.ts';

/** The program that threads run. */
export interface Entry {
  readonly url: URL;
  /** Changes when another build replaces the file. */
  readonly stamp: string;
}

/**
 * @throws SsrError `NG_SSR_WORKER_NOT_STARTED` when the file has changed since the start: pages of two builds
 * must not be mixed.
 */
export function assertUnchanged({ url, stamp }: Entry): void {
  const file = fileURLToPath(url);
  if (stampOf(file) === stamp) return;
  const message = `${file} has changed since this program was started: restart it`;
  throw new SsrError('NG_SSR_WORKER_NOT_STARTED', message);
}

/** Changes when another build replaces the file. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.mtimeMs}-${stats?.size}`;
}
