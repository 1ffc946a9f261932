import { expect, it } from 'vitest';
import { startProgram } from './program.ts';

it('without the feature in its threads, a program says so and renders on the main thread', async () => {
  const { get, errors, heard } = await startProgram(
    { renderThreads: { threads: 1 } },
    { env: { IN_THREADS: 'no feature' } },
  );
  expect(await (await get('/thread')).text()).toBe('0');
  await heard();
  expect(errors).toMatchObject([{ code: 'NG_SSR_WORKER_NOT_STARTED' }]);
  expect(errors[0]!.message).toMatch(
    /^a render thread did not start: uncaught .*withRenderThreads\(\) is missing in the features of this .* on the main thread$/,
  );
});
