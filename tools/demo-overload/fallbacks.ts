/** What may have answered, from the best to the last; `error` is what must not be. */
export const FALLBACKS = ['hit', 'stored', 'rendered', 'stale', 'csr', '503', 'error'] as const;

/** One of {@link FALLBACKS}. */
export type Fallback = (typeof FALLBACKS)[number];

/** What each fallback is, in a few words. */
export const MEANINGS: Readonly<Record<Fallback, string>> = {
  hit: 'a built page, from memory',
  stored: 'a rendered page that is stored',
  rendered: 'rendered for this request',
  stale: 'a stale stored page',
  csr: 'the CSR page: the browser renders it',
  '503': 'retry in a second',
  error: 'any other answer, or none',
};

/** Reads the fallback off the status and the Cache-Status (RFC 9211) of an answer. */
export function fallbackOf(status: number, cacheStatus: string | undefined): Fallback {
  if (status === 503) return '503';
  if (status !== 200 || cacheStatus === undefined) return 'error';
  const [, ...parameters] = cacheStatus.split('; ');
  const ttl = parameters.find((parameter) => parameter.startsWith('ttl='));
  if (parameters[0] === 'hit') {
    if (ttl === undefined) return 'hit';
    return Number(ttl.slice('ttl='.length)) < 0 ? 'stale' : 'stored';
  }
  if (!parameters[0]?.startsWith('fwd=')) return 'error';
  return parameters.some((parameter) => parameter.startsWith('detail=csr-')) ? 'csr' : 'rendered';
}
