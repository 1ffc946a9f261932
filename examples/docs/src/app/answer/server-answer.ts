/** How the server has answered a page. */
export interface ServerAnswer {
  readonly cacheStatus: string;
  /** From the first middleware to the writing of the answer's head. */
  readonly microseconds: number;
}

/** What the answer of the shown document says of itself; undefined where the browser does not tell. */
export function readDocumentAnswer(): ServerAnswer | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const timing = navigation?.serverTiming.find(({ name }) => name === 'answer');
  if (timing === undefined) return undefined;
  return { cacheStatus: timing.description, microseconds: timing.duration * 1000 };
}

/** All headers of a page's answer, as the server sends them now. */
export async function fetchHeaders(path: string): Promise<Headers> {
  const { headers } = await fetch(`/${path}`, { method: 'HEAD', cache: 'no-store' });
  return headers;
}

export function readAnswer(headers: Headers): ServerAnswer | undefined {
  const cacheStatus = headers.get('Cache-Status');
  const milliseconds = /\bdur=([\d.]+)/.exec(headers.get('Server-Timing') ?? '')?.[1];
  if (cacheStatus === null || milliseconds === undefined) return undefined;
  return { cacheStatus, microseconds: Number(milliseconds) * 1000 };
}

/** An answer in words: `This page was served from memory in 99 µs`. */
export function toText({ cacheStatus, microseconds }: ServerAnswer): string {
  const way = /;\s*hit\b/.test(cacheStatus) ? 'served from memory' : 'served';
  return `This page was ${way} in ${toDuration(microseconds)}`;
}

function toDuration(microseconds: number): string {
  const isLong = microseconds >= 1000;
  const value = isLong ? microseconds / 1000 : microseconds;
  const shown = value.toLocaleString('en', { maximumFractionDigits: isLong ? 1 : 0 });
  return `${shown} ${isLong ? 'ms' : 'µs'}`;
}
