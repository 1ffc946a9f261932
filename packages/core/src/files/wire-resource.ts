import {
  fromWireRepresentation,
  type WireRepresentation,
  toWireRepresentation,
} from '../answers/wire-representation.ts';
import type { Representation } from '../answers/representation.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { BuiltResource } from './built-resource.ts';
import type { FillOf } from './held-resource.ts';

/** A held file as plain data. */
export interface WireResource {
  readonly path: string;
  readonly identity: WireRepresentation;
  /** Undefined if it is the same as `identity`. */
  readonly unencoded: WireRepresentation | undefined;
  readonly encoded: readonly WireRepresentation[];
  readonly isEncoded: boolean;
}

export function toWireResource({
  path,
  identity,
  unencoded,
  encoded,
  isEncoded,
}: BuiltResource): WireResource {
  return {
    path,
    identity: toWireRepresentation(identity),
    unencoded: unencoded === identity ? undefined : toWireRepresentation(unencoded),
    encoded: Object.values(encoded).map((each) => toWireRepresentation(each)),
    isEncoded,
  };
}

export function fromWireResource(plain: WireResource, fillOf?: FillOf): BuiltResource {
  const identity = fromWireRepresentation(plain.identity);
  const encoded: { [encoding in ContentEncoding]?: Representation } = {};
  for (const each of plain.encoded) {
    encoded[each.encoding as ContentEncoding] = fromWireRepresentation(each);
  }
  const unencoded =
    plain.unencoded === undefined ? identity : fromWireRepresentation(plain.unencoded);
  const { path, isEncoded } = plain;
  const { full } = identity;
  return { path, body: full.body!, identity, unencoded, encoded, isEncoded, fill: fillOf?.(full) };
}
