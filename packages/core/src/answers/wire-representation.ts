import { toBuffer } from '../shared-bytes.ts';
import {
  type Representation,
  type RepresentationParts,
  toRepresentation,
} from './representation.ts';

/** A representation as plain data, for other threads. Its bytes are in shared memory. */
export type WireRepresentation = RepresentationParts;

export function toWireRepresentation(representation: Representation): WireRepresentation {
  const { encoding, mayBeEncoded, etag, lastModifiedMs, full } = representation;
  const { status, headers, body } = full;
  return { encoding, mayBeEncoded, status, headers, body: body!, etag, lastModifiedMs };
}

/** The representation that {@link toWireRepresentation} was given. */
export function fromWireRepresentation(plain: WireRepresentation): Representation {
  return toRepresentation({ ...plain, body: toBuffer(plain.body) });
}
