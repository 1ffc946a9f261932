import { isWorthwhile } from '../../answers/dictionary-forms.ts';
import type { Dictionary } from '../../http/dictionary.ts';
import type { DictionaryCoding, DictionaryLevels } from '../../http/dictionary-coding.ts';
import { availableDictionaryCodings, encodeWith } from '../../http/encode-with-dictionary.ts';

const LEVELS: DictionaryLevels = { dcb: 11, dcz: 19 };

/** A file's content coded against one dictionary. */
export interface CodedWithDictionary {
  /** The name of the dictionary. */
  readonly dictionary: string;
  readonly codings: readonly (readonly [DictionaryCoding, Uint8Array])[];
}

/**
 * Codes content against each of its dictionaries, in all codings that are worth it.
 *
 * @param others - The sizes of its codings without a dictionary.
 */
export async function codeWithDictionaries(
  body: Uint8Array,
  dictionaries: readonly Dictionary[],
  others: readonly number[],
): Promise<readonly CodedWithDictionary[]> {
  const made: CodedWithDictionary[] = [];
  for (const dictionary of dictionaries) {
    const coded = await Promise.all(
      availableDictionaryCodings().map(
        async (coding) => [coding, await encodeWith(dictionary, body, coding, LEVELS)] as const,
      ),
    );
    const codings = coded.filter(([, bytes]) => isWorthwhile(bytes, body, others));
    if (codings.length > 0) made.push({ dictionary: dictionary.name, codings });
  }
  return made;
}
