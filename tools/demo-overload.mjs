/**
 * `npm run demo:overload`: builds the example and asks it for more pages than it can render; see
 * demo-overload/demo.ts. ADAPTER and ENGINE are those of `npm start`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode, env, follow, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
const engine = process.env.ENGINE === 'common' ? 'common' : 'app';
runOrExit('nx', ['run', `@ng-ssr/example-material-app:build:${engine}`, '--output-style=static'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
const demo = join(root, 'tools/demo-overload/demo.ts');
const child = spawn(process.execPath, [demo, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: env(),
});
process.exitCode = await follow(child);
