import { DICTIONARY_CODINGS, type DictionaryCoding } from './dictionary-coding.ts';
import { trimOws } from './optional-whitespace.ts';
import { weightOf } from './weight.ts';

/** The content codings this server makes, in its own order of preference. */
export const CODINGS: readonly ContentCoding[] = ['br', 'zstd', 'gzip'];

/** A content coding of RFC 9110 section 8.4.1; zstd is RFC 8878. */
export type ContentCoding = 'br' | 'zstd' | 'gzip';

/** A negotiated coding: `identity` is the content without a coding. */
export type NegotiableCoding = ContentCoding | 'identity';

/** What a client accepts. */
export interface AcceptedCodings {
  /** The codings of this server that the client accepts, best first; it refuses those that are missing. */
  readonly codings: readonly NegotiableCoding[];
  /** Whether the client accepts any coding but identity, of this server or not (`deflate`). */
  readonly takesCoded: boolean;
  /** The client's weight for each of `codings`. */
  readonly weights: ReadonlyMap<NegotiableCoding, number>;
  /**
   * The codings with a dictionary that the client names, and to which it prefers no other one. `*` is none of them:
   * a client that knows them names them (RFC 9842 section 6).
   */
  readonly dictionaryCodings: readonly DictionaryCoding[];
}

const IDENTITY_ONLY: AcceptedCodings = {
  codings: ['identity'],
  takesCoded: false,
  weights: new Map([['identity', 1]]),
  dictionaryCodings: [],
};

/** Clients send few distinct values. At this many the map is cleared. */
const REMEMBERED_VALUES = 256;
const remembered = new Map<string, AcceptedCodings>();

/**
 * The codings that a client accepts (RFC 9110 section 12.5.3): by weight, then in the server's order. Without
 * the field only identity is sent. A value seen before costs one look-up.
 */
export function readAcceptEncoding(value: string | undefined): AcceptedCodings {
  if (value === undefined) return IDENTITY_ONLY;
  let accepted = remembered.get(value);
  if (accepted === undefined) {
    accepted = parseAcceptEncoding(value);
    if (remembered.size >= REMEMBERED_VALUES) remembered.clear();
    remembered.set(value, accepted);
  }
  return accepted;
}

/**
 * The coding to use for a client: the one with the highest weight, of equal weights the first in `order`.
 *
 * @param order - The codings that can be made, best first.
 * @returns `identity` also for a client that refuses it and accepts a coding that is not in `order`;
 * undefined when it accepts none of this server's.
 */
export function chooseCoding(
  { codings, weights }: AcceptedCodings,
  order: readonly ContentCoding[],
): NegotiableCoding | undefined {
  if (codings.length === 0) return undefined;
  let chosen: NegotiableCoding = 'identity';
  let most = 0;
  for (const coding of order) {
    const weight = weights.get(coding) ?? 0;
    if (weight > most) [chosen, most] = [coding, weight];
  }
  return most < (weights.get('identity') ?? 0) ? 'identity' : chosen;
}

function parseAcceptEncoding(value: string): AcceptedCodings {
  const weights = new Map<string, number>();
  for (const element of value.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const coding = trimOws(name);
    if (coding === '') continue;
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameters));
  }
  const rest = weights.get('*');
  const wantOf = (coding: NegotiableCoding): number => {
    const own = weights.get(coding) ?? rest;
    // Identity is acceptable unless it is refused by name or by `*`; unnamed, it has the lowest weight.
    return own ?? (coding === 'identity' ? 0.0001 : 0);
  };
  const codings = [...CODINGS, 'identity' as const]
    .filter((coding) => wantOf(coding) > 0)
    .sort((a, b) => wantOf(b) - wantOf(a));
  const most = Math.max(
    codings[0] === undefined ? 0 : wantOf(codings[0]),
    ...DICTIONARY_CODINGS.map((coding) => weights.get(coding) ?? 0),
  );
  return {
    codings,
    takesCoded: [...weights].some(([coding, weight]) => coding !== 'identity' && weight > 0),
    weights: new Map(codings.map((coding) => [coding, wantOf(coding)])),
    dictionaryCodings: DICTIONARY_CODINGS.filter((coding) => {
      const weight = weights.get(coding) ?? 0;
      return weight > 0 && weight >= most;
    }),
  };
}
