/** `npm run baseline`: records what a change of the core must not change; see baseline/baseline.ts. */
import { join } from 'node:path';
import { ensureNode, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
const projects = ['node', 'koa', 'fetch', 'conformance'].map((name) => `@ng-ssr/${name}`).join(',');
runOrExit('nx', ['run-many', '-t', 'build', `--projects=${projects}`, '--output-style=static'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
runOrExit(process.execPath, [join(root, 'tools/baseline/baseline.ts'), ...process.argv.slice(2)]);
