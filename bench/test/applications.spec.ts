import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { likenessTo } from '../src/applications/counted-ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-applications-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = join(import.meta.dirname, '../src/applications/applications.ts');
const ROUNDS = ['--sets', '1', '--rounds', '2', '--turn', '20', '--renders', '10'];

/** What is printed of a built application whose server renders `page`, a template with the name of the side. */
async function measure(name: string, page: string): Promise<string> {
  const build = join(folder, name);
  mkdirSync(join(build, 'server'), { recursive: true });
  writeFileSync(
    join(build, 'server/server.mjs'),
    `import { basename, dirname } from 'node:path';
    const side = basename(dirname(import.meta.dirname));
    let count = 0;
    if (side === 'slow') console.error('ng-ssr: NG_SSR_FAST_LEFT: a reason');
    export const render = async (path) => {
      for (let i = 0; i < (side === 'bare' ? 2e5 : 2e4); i++) count += Math.sqrt(i) > 1e9;
      count++;
      return Buffer.from(\`${page}\`);
    };`,
  );
  const args = [program, `${build}=/page`, '--sides', 'bare,slow', ...ROUNDS];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

it('prints what each side costs, and what ng-ssr has said', async () => {
  const printed = await measure('same', '<p id="id-${count}">${path}');
  const [, bare, slow] = /bare .*?(\d\.\d\d) \(.*\n\s+slow .*?(\d\.\d\d) \(/.exec(printed) ?? [
    printed,
  ];
  expect(bare).toBe('1.00');
  expect(Number(slow)).toBeLessThan(0.8);
  expect(printed).not.toContain('another page');
  expect(printed).toContain('NG_SSR_FAST_LEFT: a reason');
});

it('says where pages differ', async () => {
  expect(await measure('other', '<p>${side}')).toContain(
    'another page: it differs: "<p>bare" and "<p>slow"',
  );
});

it('fails when the backend does', async () => {
  const build = join(folder, 'backend');
  mkdirSync(build);
  writeFileSync(join(build, 'backend.mjs'), 'process.exit(1);');
  const args = [program, build, '--sides', 'bare'];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /backend.mjs has ended/,
  );
});

it.each([
  ['1-7', '1-9', '1-8', undefined],
  ['1-7', '1-9', '2-8', /^differs/],
  ['1-7', '1-9', '1-8-1', /^differs/],
  ['1-7', '1-9', '1-', /^differs/],
  ['1-7', '1-7', '1-8', /^differs/],
])('%s and %s are one page; %s: %s', (first, second, other, difference) => {
  const found = likenessTo(first, second)(first, other);
  if (difference === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(difference);
});
