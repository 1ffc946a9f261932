import type { Exchange } from '../exchange.ts';
import type { AcceptedCodings, ContentCoding } from '../http/accept-encoding.ts';
import type { DictionaryCoding } from '../http/dictionary-coding.ts';
import type { Fill } from './fill.ts';
import type { Representation } from './representation.ts';

/**
 * Chooses a form for one client before its Accept-Encoding does.
 *
 * @returns undefined to leave the choice to Accept-Encoding.
 */
export type Choose<From = Resource> = (
  resource: From,
  accepted: AcceptedCodings,
  exchange: Exchange,
) => Representation | undefined;

/** A page or file in every coding that is ready; identity always is. */
export interface Resource<Form = Representation> {
  /** For clients that accept nothing else. */
  readonly identity: Form;
  /** The same content for clients that accept codings not made here: see `mayBeCoded`. */
  readonly uncoded: Form;
  readonly coded: { readonly [coding in ContentCoding]?: Form };
  /** Whether it has codings, made or still to be made. */
  readonly isCoded: boolean;
  /** The same content coded against dictionaries, by their names; undefined if it never is. */
  readonly withDictionary?: ReadonlyMap<string, DictionaryForms<Form>> | undefined;
  /** Undefined if Accept-Encoding alone selects among the forms. */
  readonly choose?: Choose | undefined;
  /** Undefined if all clients get the same. */
  readonly fill?: Fill | undefined;
}

/** The forms of a resource besides identity. */
export type CodedForms = Pick<Resource, 'coded' | 'withDictionary'>;

/** Content coded against one dictionary; null for a coding that is being made, or would save too little. */
export type DictionaryForms<Form = Representation> = {
  readonly [coding in DictionaryCoding]?: Form | null | undefined;
};
