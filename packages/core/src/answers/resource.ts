import type { Exchange } from '../exchange.ts';
import type { AcceptedEncodings, ContentEncoding } from '../http/accept-encoding.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';
import type { Fill } from './fill.ts';
import type { Representation } from './representation.ts';

/**
 * Chooses a form for one client before its Accept-Encoding does.
 *
 * @returns undefined to leave the choice to Accept-Encoding.
 */
export type Choose<From = Resource> = (
  resource: From,
  accepted: AcceptedEncodings,
  exchange: Exchange,
) => Representation | undefined;

/** A page or file in every encoding that is ready; identity always is. */
export interface Resource<Form = Representation> {
  /** For clients that accept nothing else. */
  readonly identity: Form;
  /** The same content for clients that accept encodings not made here: see `mayBeEncoded`. */
  readonly unencoded: Form;
  readonly encoded: { readonly [encoding in ContentEncoding]?: Form };
  /** Whether it has encodings, made or still to be made. */
  readonly isEncoded: boolean;
  /** The same content encoded against dictionaries, by their names; undefined if it never is. */
  readonly withDictionary?: ReadonlyMap<string, DictionaryForms<Form>> | undefined;
  /** Undefined if Accept-Encoding alone selects among the forms. */
  readonly choose?: Choose | undefined;
  /** Undefined if all clients get the same. */
  readonly fill?: Fill | undefined;
}

/** The forms of a resource besides identity. */
export type EncodedForms = Pick<Resource, 'encoded' | 'withDictionary'>;

/** Content encoded against one dictionary; null for an encoding that is being made, or would save too little. */
export type DictionaryForms<Form = Representation> = {
  readonly [encoding in DictionaryEncoding]?: Form | null | undefined;
};
