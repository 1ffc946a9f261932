import { join } from 'node:path';
import type { Contestant } from '../measure/contestant.ts';

/** Whether the critical styles are in the page, as the CLI has it by default, or the page waits for its stylesheet. */
export type HintedBuild = 'hints-inlined' | 'hints-linked';

const builds = join(import.meta.dirname, '../../../tmp/bench/render');

/** The example's page of a visitor over HTTP/2, with early hints or without. Its build must be there. */
export function hintedServer(
  build: HintedBuild,
  hasHints: boolean,
  tls: { readonly key: Buffer; readonly cert: Buffer },
): Contestant {
  return {
    name: `${build}, early hints ${hasHints ? 'on' : 'off'}`,
    runtime: 'node',
    command: [process.execPath, join(builds, build, 'server/server.mjs')],
    env: {
      // Browsers reach it at the port of a slow link.
      NG_ALLOWED_HOSTS: '*',
      HINTS: hasHints ? 'on' : 'off',
      TLS_KEY: String(tls.key),
      TLS_CERT: String(tls.cert),
    },
    isPinned: false,
  };
}
