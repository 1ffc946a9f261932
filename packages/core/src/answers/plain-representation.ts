import type { HeaderList } from '../http/header-list.ts';
import { toBuffer } from '../shared-bytes.ts';
import { type Representation, toRepresentation } from './representation.ts';

/** A representation as plain data, for other threads. Its bytes are in shared memory. */
export interface PlainRepresentation {
  readonly coding: Representation['coding'];
  readonly mayBeCoded: boolean;
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly etag: string | undefined;
  readonly lastModifiedMs: number | undefined;
}

export function toPlainRepresentation(representation: Representation): PlainRepresentation {
  const { coding, mayBeCoded, etag, lastModifiedMs, full } = representation;
  const { status, headers, body } = full;
  return { coding, mayBeCoded, status, headers, body: body!, etag, lastModifiedMs };
}

/** The representation that {@link toPlainRepresentation} was given. */
export function fromPlainRepresentation(plain: PlainRepresentation): Representation {
  return toRepresentation({ ...plain, body: toBuffer(plain.body) });
}
