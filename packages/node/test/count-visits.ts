import { Session } from 'node:inspector/promises';

/** Counts how often the core reads a request while a function runs: the visits that are made. */
export async function countVisits(run: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const script = result.find(({ url }) => url.endsWith('/core/dist/pages/visit.js'));
    const made = script?.functions.find(({ functionName }) => functionName === 'Visit');
    return made?.ranges[0]?.count ?? 0;
  } finally {
    session.disconnect();
  }
}
