import { toBuffer } from '../shared-bytes.ts';
import {
  type Representation,
  type RepresentationParts,
  toRepresentation,
} from './representation.ts';

/** A representation as plain data, for other threads. Its bytes are in shared memory. */
export type PlainRepresentation = RepresentationParts;

export function toPlainRepresentation(representation: Representation): PlainRepresentation {
  const { encoding, mayBeEncoded, etag, lastModifiedMs, full } = representation;
  const { status, headers, body } = full;
  return { encoding, mayBeEncoded, status, headers, body: body!, etag, lastModifiedMs };
}

/** The representation that {@link toPlainRepresentation} was given. */
export function fromPlainRepresentation(plain: PlainRepresentation): Representation {
  return toRepresentation({ ...plain, body: toBuffer(plain.body) });
}
