/** `npm run api`: compares the public API of every package with its reports; see api/reports.mjs. */
import { join } from 'node:path';
import { ensureNode, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
runOrExit('nx', ['run-many', '-t', 'build', '--projects=packages/*,native'], {
  stdio: ['inherit', 'ignore', 'inherit'],
});
runOrExit(process.execPath, [join(root, 'tools/api/reports.mjs'), ...process.argv.slice(2)]);
