// The twin, the TypeScript, and the addon where there is a compiler for it. Without one the package
// works with the twin alone, so the build says why and succeeds; in CI it fails.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compileTwin } from './compile-twin.mjs';
import { nodeFirst, nodeHeaders } from './node-headers.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

const TOOLCHAIN = {
  linux: 'apt-get install -y python3 make g++ (apk add python3 make g++ on Alpine)',
  darwin: 'xcode-select --install',
  win32: 'winget install Python.Python.3.12 Microsoft.VisualStudio.2022.BuildTools',
};

function run(script, args, options) {
  return spawnSync(process.execPath, [require.resolve(script), ...args], { cwd: root, ...options });
}

/** The one line of node-gyp's log that says what went wrong. */
function readReason(log) {
  const found =
    /\berror: .*/.exec(log) ??
    /[\w+-]*(?:cc|\+\+)(?:: command)?: (?:not found|No such file or directory)/.exec(log) ??
    /not found: \w+/.exec(log) ??
    /Could not find any (?:Python|Visual Studio) installation to use/.exec(log) ??
    /.*command not found.*|.*: not found.*/.exec(log) ??
    /gyp ERR! stack (?:Error: )?(.*)/.exec(log);
  return (found?.[1] ?? found?.[0] ?? 'node-gyp failed').trim();
}

function buildAddon() {
  const headers = nodeHeaders();
  const args = ['configure', 'build'];
  if (headers !== undefined) args.push(`--nodedir=${headers}`);
  const { status, stdout, stderr } = run('node-gyp/bin/node-gyp.js', args, {
    encoding: 'utf8',
    env: nodeFirst(),
  });
  if (status === 0) return;
  const inCi = process.env.CI === 'true';
  if (inCi) console.error(`${stdout}${stderr}`);
  const command = TOOLCHAIN[process.platform] ?? 'install Python 3, make and a C++ compiler';
  const log = `${stdout}\n${stderr}`;
  console.error(
    `@ng-ssr/etag: built without its addon (${readReason(log)}). To build it: ${command}, then npm run build --workspace=@ng-ssr/etag`,
  );
  if (inCi) process.exit(1);
}

await compileTwin();
mkdirSync(join(root, 'dist'), { recursive: true });
copyFileSync(join(root, 'src', 'xxh3-binary.js'), join(root, 'dist', 'xxh3-binary.js'));
const { status } = run('typescript/bin/tsc', ['-b'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
buildAddon();
