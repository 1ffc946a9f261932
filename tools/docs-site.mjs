/**
 * `npm run docs`: builds the documentation's site, which ng-ssr serves itself.
 *
 *   PORT           default 4300
 *   DOCS_ORIGIN    where the site is published, default http://localhost:4300
 *   -- --build     only builds, into examples/docs/dist
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode, env, follow, install, root, runOrExit } from './environment.mjs';

const given = process.argv.slice(2);
const unknown = given.find((argument) => argument !== '--build');
if (unknown !== undefined) {
  console.error(`npm run docs does not know ${unknown}; allowed: --build`);
  process.exit(1);
}

install();
await ensureNode();
runOrExit('nx', ['run', '@ng-ssr/example-docs:build:site', '--output-style=static']);
if (given.length === 0) process.exitCode = await serve();
else console.log('The documentation is in examples/docs/dist.');

/** Runs the built server until it ends. */
function serve() {
  const port = process.env.PORT ?? '4300';
  console.log(`Documentation: http://localhost:${port}/`);
  const server = join(root, 'examples/docs/dist/server/server.mjs');
  return follow(
    spawn(process.execPath, [server], {
      stdio: 'inherit',
      env: env({ NODE_ENV: 'production', PORT: port }),
    }),
  );
}
