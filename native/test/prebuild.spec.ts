import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const tool = fileURLToPath(new URL('../tools/prebuild.mjs', import.meta.url));

/** The tool on a machine that has no compiler. */
function prebuild(...args: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [tool, ...args], {
    env: { PATH: '' },
    encoding: 'utf8',
  });
  return { status, stderr };
}

it('names the targets where one is unknown', () => {
  expect(prebuild('--target', 'linux-x64,linux-riscv64')).toEqual({
    status: 1,
    stderr:
      '--target is "linux-x64,linux-riscv64"; allowed: linux, linux-x64, linux-x64-musl, linux-arm64, linux-arm64-musl\n',
  });
});

it('says what a target needs, and how it is installed, before it builds any', () => {
  const { status, stderr } = prebuild('--target', 'linux-x64,linux-arm64-musl');
  expect(status).toBe(1);
  const [first, second, ...others] = stderr.trimEnd().split('\n');
  expect(first).toBe(
    'linux-x64 needs x86_64-linux-gnu-g++ and x86_64-linux-gnu-strip: apt-get install -y g++',
  );
  expect(second).toMatch(/^linux-arm64-musl needs aarch64-linux-gnu-g\+\+ and aarch64-/);
  expect(second).toContain(
    ': dpkg --add-architecture arm64 && apt-get update && apt-get install -y g++-aarch64-linux-gnu musl-dev:arm64',
  );
  expect(others).toEqual([]);
});
