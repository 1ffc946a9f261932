import { Session } from 'node:inspector/promises';

/** Counts how often the core reads a request while a function runs. */
export async function countParsed(run: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const script = result.find(({ url }) => url.endsWith('/core/dist/pages/parsed-request.js'));
    const made = script?.functions.find(({ functionName }) => functionName === 'ParsedRequest');
    return made?.ranges[0]?.count ?? 0;
  } finally {
    session.disconnect();
  }
}
