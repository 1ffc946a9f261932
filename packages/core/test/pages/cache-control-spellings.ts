/** A way to write a directive, the directive that it is to us, and why http-cache-semantics reads another. */
export interface Spelling {
  readonly spelt: string;
  /** As it is given to http-cache-semantics; '' for no directive. */
  readonly means: string;
  readonly reason?: string;
}

const AS_IT_STANDS = [
  ...['public', 'private', 'no-store', 'no-cache', 'must-revalidate', 'proxy-revalidate'],
  ...['must-understand', 'immutable', 'private="x-a"', 'no-cache="set-cookie"', 'community="UCI"'],
  ...['no-transform', 'max-age=0', 'max-age=10', 'max-age=60', 'max-age="30"', 's-maxage=0'],
  ...['s-maxage=60', 's-maxage="20"', 's-maxage=100', 'stale-while-revalidate=30'],
  ...['stale-if-error=90', 'max-age'],
];

const NOT_READ = 'RFC 9111 section 4.2.1: a lifetime that cannot be read is stale';
const NO_CASE = 'RFC 9111 section 5.2: the names of directives are compared without case';
const QUOTED = 'RFC 9111 section 5.2: a quoted argument holds no directives';

/** Directives of Cache-Control as responses spell them. */
export const SPELLINGS: readonly Spelling[] = [
  ...AS_IT_STANDS.map((spelt) => ({ spelt, means: spelt })),
  { spelt: 'Max-Age=60', means: 'max-age=60', reason: NO_CASE },
  { spelt: 'S-MaxAge=5', means: 's-maxage=5', reason: NO_CASE },
  { spelt: 'PRIVATE', means: 'private', reason: NO_CASE },
  { spelt: 'No-Store', means: 'no-store', reason: NO_CASE },
  { spelt: 'max-age=60s', means: 'max-age=0', reason: NOT_READ },
  { spelt: 'max-age=1.5', means: 'max-age=0', reason: NOT_READ },
  { spelt: 'max-age=-1', means: 'max-age=0', reason: NOT_READ },
  { spelt: 'max-age=', means: 'max-age=0', reason: NOT_READ },
  { spelt: 's-maxage=60 public', means: 's-maxage=0', reason: NOT_READ },
  { spelt: 'stale-while-revalidate=9x', means: 'stale-while-revalidate=0', reason: NOT_READ },
  {
    spelt: 'max-age=99999999999',
    means: `max-age=${2 ** 31}`,
    reason: 'RFC 9111 section 1.2.2: the most a lifetime can be',
  },
  { spelt: 'ext="a, private"', means: '', reason: QUOTED },
  { spelt: 'ext="\\", no-store"', means: '', reason: QUOTED },
];

/** Members of CDN-Cache-Control, a dictionary of RFC 9651 that http-cache-semantics does not know. */
export const TARGETED_SPELLINGS: readonly Spelling[] = [
  ...['public', 'private', 'no-store', 'no-cache', 'must-revalidate', 'max-age=0', 'max-age=40'],
  ...['s-maxage=70', 'stale-while-revalidate=30', 'stale-if-error=90'],
]
  .map((spelt): Spelling => ({ spelt, means: spelt }))
  .concat([
    { spelt: 'no-store=?0', means: '', reason: 'RFC 9651 section 3.2: false' },
    { spelt: 'max-age=40;x="no-store"', means: 'max-age=40', reason: 'section 3.1.2: parameters' },
    { spelt: 'max-age="40"', means: 'max-age=0', reason: 'RFC 9213 section 2.1: an integer' },
  ]);

/** Values of CDN-Cache-Control that count as absent (RFC 9213 section 2.1). */
export const MALFORMED_TARGETED = ['', 'max-age=60,', 'Max-Age=60', 'max-age = 60', 'no-store, &'];
