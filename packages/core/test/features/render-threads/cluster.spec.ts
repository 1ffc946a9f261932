import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Program, startProgram, toPath } from './program.ts';

async function startCluster(
  env: NodeJS.ProcessEnv,
): Promise<{ program: Program; forks: () => string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-cluster-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'forks');
  const program = await startProgram(
    { renderThreads: { threads: 1 } },
    { file: toPath('clustered.mjs'), env: { FORKS: file, ...env } },
  );
  const forks = (): string[] => readFileSync(file, 'utf8').trim().split('\n');
  return { program, forks };
}

it.each([
  ['before it has loaded its server', { FORKS_FIRST: '1' }],
  ['once it has made its server', { FORKS_FIRST: '' }],
])('a program that forks %s does not fork in threads, and reports why', async (_, env) => {
  const { program, forks } = await startCluster(env);
  const page = await (await program.get('/')).json();
  expect(forks()).toEqual(['process of generation 0']);
  expect(page).toMatchObject({ threadId: 0 });
  await expect.poll(() => program.errors).toHaveLength(1);
  expect(program.errors).toMatchObject([{ code: 'NG_SSR_WORKER_NOT_STARTED' }]);
  expect(program.errors[0]!.message).toMatch(
    /uncaught .*cluster\.fork\(\) .* in a render thread.* isMainModule\(import\.meta\.url\).*; pages are rendered on the main thread$/,
  );
});

it.each([{ FORKS_FIRST: '1' }, { FORKS_FIRST: '' }])(
  'a program that looks at its cluster outside threads alone renders in threads (%j)',
  async (env) => {
    const { program, forks } = await startCluster({ GUARDED: '1', ...env });
    const { argv } = program.started;
    expect(argv).toMatchObject({ 2: '--verbose', 3: 'a b' });
    expect(await (await program.get('/')).json()).toEqual({ threadId: 1, argv });
    expect(program.errors).toEqual([]);
    expect(forks()).toEqual(['process of generation 0']);
  },
);
