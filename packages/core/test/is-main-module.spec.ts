import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bun, deno } from '../../fetch/test/runtimes/runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-main-'));
// Bun's bundler takes no file: URLs.
const core = fileURLToPath(new URL('../dist/is-main-module.js', import.meta.url));
const imports = `import { isMainModule } from ${JSON.stringify(core)};\n`;
const program = (imported: string): string =>
  `${imports}import { imported } from ${JSON.stringify(imported)};\n` +
  'console.log(`${isMainModule(import.meta.url)} ${imported}`);\n';

beforeAll(() => {
  mkdirSync(join(folder, 'dist/nested'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module","main":"dist/server.js"}');
  writeFileSync(join(folder, 'dist/server.js'), program('./imported.js'));
  writeFileSync(join(folder, 'dist/server.mjs'), program('./imported.js'));
  writeFileSync(join(folder, 'dist/nested/index.js'), program('../imported.js'));
  writeFileSync(
    join(folder, 'dist/imported.js'),
    `${imports}export const imported = isMainModule(import.meta.url);\n`,
  );
  symlinkSync('dist/server.mjs', join(folder, 'bin'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run([file, ...parameters]: readonly string[], cwd = folder): string {
  const { stdout, stderr } = spawnSync(file!, parameters, { cwd, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

const STARTS = ['dist/server.mjs', 'dist/server', '.', './', 'dist/nested', 'bin'];

describe.each([
  ['node', { command: [process.execPath], missing: undefined }, STARTS],
  ['bun', bun, STARTS],
  ['deno', deno, ['dist/server.mjs', join(folder, 'dist/server.js')]],
] as const)('%s', (_name, { command, missing }, starts) => {
  it.skipIf(missing !== undefined).each(starts)(
    'knows the program that was started as %s',
    (start) => {
      expect(run([...command, start])).toBe('true false');
    },
  );

  it.skipIf(missing !== undefined)('knows that another program imports it', () => {
    writeFileSync(join(folder, 'other.js'), `await import('./dist/server.js');\n`);
    expect(run([...command, 'other.js'])).toBe('false false');
  });
});

it.skipIf(bun.missing !== undefined)(
  'knows a program that Bun has compiled',
  () => {
    const binary = join(folder, 'compiled');
    run([...bun.command, 'build', '--compile', 'dist/server.js', '--outfile', binary]);
    // The modules of such a program have one URL.
    expect(run([binary])).toBe('true true');
    expect(run([binary], tmpdir())).toBe('true true');
  },
  60_000,
);

it.each([
  [{ pm_id: '0', pm_exec_path: join(folder, 'dist/server.mjs') }, 'true false'],
  [{ pm_id: '0', pm_exec_path: join(folder, 'bin') }, 'true false'],
  [{ pm_id: '0' }, 'true true'],
])('knows the program that PM2 imports from a module of its own: %j', (pm2, expected) => {
  writeFileSync(join(folder, 'container.js'), `await import('./dist/server.mjs');\n`);
  const env = { ...process.env, ...pm2 };
  const { stdout } = spawnSync(process.execPath, ['container.js'], { cwd: folder, env });
  expect(String(stdout).trim()).toBe(expected);
});
