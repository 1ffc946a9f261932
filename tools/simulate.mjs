/** `npm run simulate`: a fleet of servers over the real code of the core; see simulate/simulate.ts. */
import { join } from 'node:path';
import { ensureNode, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
const projects = ['node', 'redis'].map((name) => `@ng-ssr/${name}`).join(',');
runOrExit('nx', ['run-many', '-t', 'build', `--projects=${projects}`, '--output-style=static'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
// Pages in memory live long: with little room for new objects they are copied again and again.
const program = ['--max-semi-space-size=128', join(root, 'tools/simulate/simulate.ts')];
runOrExit(process.execPath, [...program, ...process.argv.slice(2)]);
