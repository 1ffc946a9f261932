import {
  fromPlainRepresentation,
  type PlainRepresentation,
  toPlainRepresentation,
} from '../answers/plain-representation.ts';
import type { Representation } from '../answers/representation.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import type { BuiltResource } from './built-resource.ts';
import type { FillOf } from './held-resource.ts';

/** A held file as plain data. */
export interface PlainResource {
  readonly path: string;
  readonly identity: PlainRepresentation;
  /** Undefined if it is the same as `identity`. */
  readonly uncoded: PlainRepresentation | undefined;
  readonly coded: readonly PlainRepresentation[];
  readonly isCoded: boolean;
}

export function toPlainResource({
  path,
  identity,
  uncoded,
  coded,
  isCoded,
}: BuiltResource): PlainResource {
  return {
    path,
    identity: toPlainRepresentation(identity),
    uncoded: uncoded === identity ? undefined : toPlainRepresentation(uncoded),
    coded: Object.values(coded).map((each) => toPlainRepresentation(each)),
    isCoded,
  };
}

export function fromPlainResource(plain: PlainResource, fillOf?: FillOf): BuiltResource {
  const identity = fromPlainRepresentation(plain.identity);
  const coded: { [coding in ContentCoding]?: Representation } = {};
  for (const each of plain.coded) {
    coded[each.coding as ContentCoding] = fromPlainRepresentation(each);
  }
  const uncoded = plain.uncoded === undefined ? identity : fromPlainRepresentation(plain.uncoded);
  const { path, isCoded } = plain;
  const { full } = identity;
  return { path, body: full.body!, identity, uncoded, coded, isCoded, fill: fillOf?.(full) };
}
