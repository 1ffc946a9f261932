import { trimOws } from './optional-whitespace.ts';

/** The content codings this server makes, in its own order of preference. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;

/** A content coding of RFC 9110 section 8.4.1; zstd is RFC 8878. */
export type ContentCoding = (typeof CODINGS)[number];

/** A coding as negotiated: `identity` is the content as it is. */
export type NegotiableCoding = ContentCoding | 'identity';

/** What a client accepts. */
export interface AcceptedCodings {
  /** The codings of this server that it accepts, best first; one that is missing is refused. */
  readonly codings: readonly NegotiableCoding[];
  /** Whether it accepts any coding but identity, of this server or not (`deflate`). */
  readonly takesCoded: boolean;
  /** How much it wants each of `codings`. */
  readonly weights: ReadonlyMap<NegotiableCoding, number>;
}

const IDENTITY_ONLY: AcceptedCodings = {
  codings: ['identity'],
  takesCoded: false,
  weights: new Map([['identity', 1]]),
};

/** Clients send few distinct values; past this many the memory is emptied, never grown. */
const REMEMBERED_VALUES = 256;
const remembered = new Map<string, AcceptedCodings>();

/**
 * The codings a client accepts (RFC 9110 section 12.5.3): by weight, then in the server's order.
 * Without the field only identity is sent. A value seen before costs one look-up.
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
 * The coding to make for a client: the one it wants most, of equal weight the first of `order`.
 *
 * @param order - The codings that can be made, best first.
 * @returns `identity` also for a client that refuses it and takes a coding that is not in `order`;
 * undefined when it takes nothing of this server's.
 */
export function chooseCoding(
  field: string | undefined,
  order: readonly ContentCoding[],
): NegotiableCoding | undefined {
  const { codings, weights } = readAcceptEncoding(field);
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
    const weight = parameters.find((parameter) => trimOws(parameter).startsWith('q='));
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, toWeight(weight));
  }
  const rest = weights.get('*');
  const weightOf = (coding: NegotiableCoding): number => {
    const own = weights.get(coding) ?? rest;
    // Identity is acceptable unless refused by name or by `*`; least wanted when not named.
    return own ?? (coding === 'identity' ? 0.0001 : 0);
  };
  const codings = [...CODINGS, 'identity' as const]
    .filter((coding) => weightOf(coding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return {
    codings,
    takesCoded: [...weights].some(([coding, weight]) => coding !== 'identity' && weight > 0),
    weights: new Map(codings.map((coding) => [coding, weightOf(coding)])),
  };
}

/** A weight between 0 and 1; what is not a weight counts as 0, so that junk is never preferred. */
function toWeight(parameter: string | undefined): number {
  if (parameter === undefined) return 1;
  const weight = Number(trimOws(parameter).slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
