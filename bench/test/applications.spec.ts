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

/** The builds of an application that render `page`, a template with the names of build and side. */
function writeBuilds(name: string, page: string): void {
  for (const build of ['app', 'common']) {
    mkdirSync(join(folder, name, build, 'server'), { recursive: true });
    writeFileSync(
      join(folder, name, build, 'server/server.mjs'),
      `import { basename, dirname } from 'node:path';
      const build = '${build}';
      const side = basename(dirname(import.meta.dirname));
      let count = 0;
      if (side === 'slow') console.error('ng-ssr: NG_SSR_FAST_LEFT: a reason');
      export const render = async (path) => {
        for (let i = 0; i < (side === 'bare' ? 2e5 : 2e4); i++) count += Math.sqrt(i) > 1e9;
        count++;
        if (side === 'late' && count === 20) throw new Error(path + ': status 503');
        return Buffer.from(\`${page}\`);
      };`,
    );
  }
}

/** What is printed of an application with such builds. */
async function measure(
  name: string,
  page: string,
  sides: string,
  more: readonly string[] = [],
): Promise<string> {
  writeBuilds(name, page);
  const args = [program, `${join(folder, name)}=/page`, '--sides', sides, ...ROUNDS, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

it('prints what each side costs, and what ng-ssr has said', async () => {
  const printed = await measure('same', '<p id="id-${count}">${path}', 'app/bare,app/slow');
  const [, bare, slow] = /bare .*?(\d\.\d\d) \(.*\n\s+app\/slow .*?(\d\.\d\d) \(/.exec(printed) ?? [
    printed,
  ];
  expect(bare).toBe('1.00');
  expect(Number(slow)).toBeLessThan(0.8);
  expect(printed).not.toContain('another page');
  expect(printed).not.toContain('void');
  expect(printed).toContain('NG_SSR_FAST_LEFT: a reason');
});

it('says where pages differ', async () => {
  expect(await measure('other', '<p>${side}', 'app/bare,app/slow')).toContain(
    'another page: it differs: "<p>bare" and "<p>slow"',
  );
});

it('compares each side with the engine of its own build', async () => {
  const sides = 'app/bare,app/ours,common/bare,common/ours';
  const printed = await measure('builds', '<p>${build}', sides);
  expect(printed.match(/(app|common)\/bare .* 1\.00 \(1\.00-1\.00\)/g)).toHaveLength(2);
  expect(printed).not.toContain('another page');
});

it('leaves out the sides of a build that is not there', async () => {
  const printed = await measure('one', '<p>', 'app/bare,other/bare');
  expect(printed).toContain('app/bare');
  expect(printed).not.toContain('other/bare');
});

it('leaves out turns in which a page was not rendered', async () => {
  const printed = await measure('late', '<p>', 'app/bare,app/late');
  expect(printed).toMatch(/app\/late .*\d\.\d\d \(/);
  expect(printed).toContain('1 of 2 turns are void: /page: status 503');
});

it('prints a profile of renders', async () => {
  const printed = await measure('profiled', '<p>${side}', 'app/bare,app/slow', ['--profile']);
  expect(printed).toMatch(/^\| share of \| app\/bare \| app\/slow \|$/m);
  // V8 may inline one in the other.
  expect(printed).toMatch(/^\| (unknown: server\.mjs|the measurement) \| /m);
  expect(printed).toMatch(/^\| all \| 100\.0% \d+\.\d\d ms \| 100\.0% \d+\.\d\d ms \|$/m);
  expect(printed).toContain('| most expensive of app/slow |');
});

it('says why there is no profile', async () => {
  writeBuilds('unprofiled', '<p>');
  const args = [program, join(folder, 'unprofiled'), '--sides', 'app/late', '--profile', ...ROUNDS];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /app\/late: \/: status 503/,
  );
});

it('says how it is used', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--help']);
  expect(stdout).toContain('--profile');
});

it('fails when the backend does', async () => {
  const builds = join(folder, 'backend');
  mkdirSync(join(builds, 'app'), { recursive: true });
  writeFileSync(join(builds, 'backend.mjs'), 'process.exit(1);');
  const args = [program, builds, '--sides', 'app/bare'];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /backend.mjs has ended/,
  );
});

it('fails when a side cannot render, also if its server keeps the process', async () => {
  const server = join(folder, 'broken/app/server');
  mkdirSync(server, { recursive: true });
  writeFileSync(
    join(server, 'server.mjs'),
    `process.on('unhandledRejection', () => undefined);
    export const render = () => Promise.reject(new Error('no thread'));`,
  );
  const args = [program, join(folder, 'broken'), '--sides', 'app/bare'];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /a side has ended: app\/bare: Error: no thread/,
  );
});

it('fails when the folder has no build', async () => {
  const args = [program, join(folder, 'none'), '--sides', 'app/bare'];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow(
    /none has no build of app\/bare/,
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
