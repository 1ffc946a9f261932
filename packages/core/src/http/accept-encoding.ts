import { DICTIONARY_ENCODINGS, type DictionaryEncoding } from './dictionary-encoding.ts';
import { trimOws } from './optional-whitespace.ts';
import { weightOf } from './weight.ts';

/** The content encodings this server makes, in its own order of preference. */
export const ENCODINGS: readonly ContentEncoding[] = ['br', 'zstd', 'gzip'];

/** A content encoding of RFC 9110 section 8.4.1; zstd is RFC 8878. */
export type ContentEncoding = 'br' | 'zstd' | 'gzip';

/** A negotiated encoding: `identity` is the content without an encoding. */
export type NegotiableEncoding = ContentEncoding | 'identity';

/** What a client accepts. */
export interface AcceptedEncodings {
  /** The encodings of this server that the client accepts, best first; it refuses those that are missing. */
  readonly encodings: readonly NegotiableEncoding[];
  /** Whether the client accepts any encoding but identity, of this server or not (`deflate`). */
  readonly takesEncoded: boolean;
  /** The client's weight for each of `encodings`. */
  readonly weights: ReadonlyMap<NegotiableEncoding, number>;
  /**
   * The encodings with a dictionary that the client names, and to which it prefers no other one. `*` is none of them:
   * a client that knows them names them (RFC 9842 section 6).
   */
  readonly dictionaryEncodings: readonly DictionaryEncoding[];
}

const IDENTITY_ONLY: AcceptedEncodings = {
  encodings: ['identity'],
  takesEncoded: false,
  weights: new Map([['identity', 1]]),
  dictionaryEncodings: [],
};

/** Clients send few distinct values. At this many the map is cleared. */
const REMEMBERED_VALUES = 256;
const remembered = new Map<string, AcceptedEncodings>();

/**
 * The encodings that a client accepts (RFC 9110 section 12.5.3): by weight, then in the server's order. Without
 * the header only identity is sent. A value seen before costs one look-up.
 */
export function readAcceptEncoding(value: string | undefined): AcceptedEncodings {
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
 * The encoding to use for a client: the one with the highest weight, of equal weights the first in `order`.
 *
 * @param order - The encodings that can be made, best first.
 * @returns `identity` also for a client that refuses it and accepts an encoding that is not in `order`;
 * undefined when it accepts none of this server's.
 */
export function chooseEncoding(
  { encodings, weights }: AcceptedEncodings,
  order: readonly ContentEncoding[],
): NegotiableEncoding | undefined {
  if (encodings.length === 0) return undefined;
  let chosen: NegotiableEncoding = 'identity';
  let most = 0;
  for (const encoding of order) {
    const weight = weights.get(encoding) ?? 0;
    if (weight > most) [chosen, most] = [encoding, weight];
  }
  return most < (weights.get('identity') ?? 0) ? 'identity' : chosen;
}

function parseAcceptEncoding(value: string): AcceptedEncodings {
  const weights = new Map<string, number>();
  for (const element of value.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const encoding = trimOws(name);
    if (encoding === '') continue;
    weights.set(encoding === 'x-gzip' ? 'gzip' : encoding, weightOf(parameters));
  }
  const rest = weights.get('*');
  const wantOf = (encoding: NegotiableEncoding): number => {
    const own = weights.get(encoding) ?? rest;
    // Identity is acceptable unless it is refused by name or by `*`; unnamed, it has the lowest weight.
    return own ?? (encoding === 'identity' ? 0.0001 : 0);
  };
  const encodings = [...ENCODINGS, 'identity' as const]
    .filter((encoding) => wantOf(encoding) > 0)
    .sort((a, b) => wantOf(b) - wantOf(a));
  const most = Math.max(
    encodings[0] === undefined ? 0 : wantOf(encodings[0]),
    ...DICTIONARY_ENCODINGS.map((encoding) => weights.get(encoding) ?? 0),
  );
  return {
    encodings,
    takesEncoded: [...weights].some(([encoding, weight]) => encoding !== 'identity' && weight > 0),
    weights: new Map(encodings.map((encoding) => [encoding, wantOf(encoding)])),
    dictionaryEncodings: DICTIONARY_ENCODINGS.filter((encoding) => {
      const weight = weights.get(encoding) ?? 0;
      return weight > 0 && weight >= most;
    }),
  };
}
