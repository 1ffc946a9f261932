/** `npm run compare`: builds the example and compares every adapter on it; see bench/src/compare. */
import { join } from 'node:path';
import { ensureNode, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
runOrExit('nx', ['run', '@ng-ssr/example-material-app:build', '--output-style=static'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
runOrExit(process.execPath, [join(root, 'bench/src/compare/compare.ts'), ...process.argv.slice(2)]);
