import { isWorthwhile } from '../../answers/dictionary-forms.ts';
import type { Dictionary } from '../../http/dictionary.ts';
import type { DictionaryEncoding, DictionaryLevels } from '../../http/dictionary-encoding.ts';
import { availableDictionaryEncodings, encodeWith } from '../../http/encode-with-dictionary.ts';

const LEVELS: DictionaryLevels = { dcb: 11, dcz: 19 };

/** A file's content encoded against one dictionary. */
export interface EncodedWithDictionary {
  /** The name of the dictionary. */
  readonly dictionary: string;
  readonly encodings: readonly (readonly [DictionaryEncoding, Uint8Array])[];
}

/**
 * Codes content against each of its dictionaries, in all encodings that are worth it.
 *
 * @param others - The sizes of its encodings without a dictionary.
 */
export async function codeWithDictionaries(
  body: Uint8Array,
  dictionaries: readonly Dictionary[],
  others: readonly number[],
): Promise<readonly EncodedWithDictionary[]> {
  const made: EncodedWithDictionary[] = [];
  for (const dictionary of dictionaries) {
    const encoded = await Promise.all(
      availableDictionaryEncodings().map(
        async (encoding) =>
          [encoding, await encodeWith(dictionary, body, encoding, LEVELS)] as const,
      ),
    );
    const encodings = encoded.filter(([, bytes]) => isWorthwhile(bytes, body, others));
    if (encodings.length > 0) made.push({ dictionary: dictionary.name, encodings });
  }
  return made;
}
