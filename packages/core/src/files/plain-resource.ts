import {
  fromPlainRepresentation,
  type PlainRepresentation,
  toPlainRepresentation,
} from '../answers/plain-representation.ts';
import type { Representation } from '../answers/representation.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { BuiltResource } from './built-resource.ts';
import type { FillOf } from './held-resource.ts';

/** A held file as plain data. */
export interface PlainResource {
  readonly path: string;
  readonly identity: PlainRepresentation;
  /** Undefined if it is the same as `identity`. */
  readonly unencoded: PlainRepresentation | undefined;
  readonly encoded: readonly PlainRepresentation[];
  readonly isEncoded: boolean;
}

export function toPlainResource({
  path,
  identity,
  unencoded,
  encoded,
  isEncoded,
}: BuiltResource): PlainResource {
  return {
    path,
    identity: toPlainRepresentation(identity),
    unencoded: unencoded === identity ? undefined : toPlainRepresentation(unencoded),
    encoded: Object.values(encoded).map((each) => toPlainRepresentation(each)),
    isEncoded,
  };
}

export function fromPlainResource(plain: PlainResource, fillOf?: FillOf): BuiltResource {
  const identity = fromPlainRepresentation(plain.identity);
  const encoded: { [encoding in ContentEncoding]?: Representation } = {};
  for (const each of plain.encoded) {
    encoded[each.encoding as ContentEncoding] = fromPlainRepresentation(each);
  }
  const unencoded =
    plain.unencoded === undefined ? identity : fromPlainRepresentation(plain.unencoded);
  const { path, isEncoded } = plain;
  const { full } = identity;
  return { path, body: full.body!, identity, unencoded, encoded, isEncoded, fill: fillOf?.(full) };
}
