import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';

/** A file for what the specs start and ask: tools/deploys.mjs makes a table of it. */
const FILE = process.env['NG_SSR_RUN_LOG'];

/** Notes a program that was started, or a path that was asked with its status. */
export function noteRun(run: { readonly started: string } | { readonly asked: string }): void {
  if (FILE === undefined) return;
  const spec = basename(expect.getState().testPath ?? '').replace(/(\.\w+)?\.spec\.ts$/, '');
  appendFileSync(FILE, `${JSON.stringify({ spec, ...run })}\n`);
}
