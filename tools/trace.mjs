/** `npm run trace`: which functions a request goes through, on each adapter; see trace/trace.ts. */
import { join } from 'node:path';
import { ensureNode, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
const projects = ['node', 'koa', 'fetch'].map((name) => `@ng-ssr/${name}`).join(',');
runOrExit('nx', ['run-many', '-t', 'build', `--projects=${projects}`, '--output-style=static'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
runOrExit(process.execPath, [join(root, 'tools/trace/trace.ts'), ...process.argv.slice(2)]);
