// Writes prebuilds/<platform>-<arch>/ for the machine it runs on, to be published with the package.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nodeFirst, nodeHeaders } from './node-headers.mjs';

const headers = nodeHeaders();
const { status } = spawnSync(
  process.execPath,
  [
    createRequire(import.meta.url).resolve('prebuildify/bin.js'),
    '--napi',
    '--strip',
    '--tag-libc',
    '--name=etag',
  ],
  {
    cwd: dirname(dirname(fileURLToPath(import.meta.url))),
    stdio: 'inherit',
    env: { ...nodeFirst(), ...(headers !== undefined && { npm_config_nodedir: headers }) },
  },
);
process.exit(status ?? 1);
