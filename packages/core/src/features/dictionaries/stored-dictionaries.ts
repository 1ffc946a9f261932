import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import { mayBeKept } from '../../http/use-as-dictionary.ts';
import type { StoredPage } from '../../pages/stored-page.ts';
import type { PageMarks, PageTrait } from '../../pages/traits/page-trait.ts';
import { type Dictionaries, mayHold } from './dictionaries.ts';
import type { FileDictionaries } from './file-dictionaries.ts';
import { negotiateDictionary } from './negotiate-dictionary.ts';

/**
 * Which stored pages are dictionaries, and which are encoded against them.
 *
 * A page that is filled differs in each answer, and one that varies by cookies may be for one client: it is no
 * dictionary, and is not encoded against one. A client that guesses a dictionary's content learns whether it is held.
 */
export function storedDictionaries(
  dictionaries: Dictionaries,
  files: Pick<FileDictionaries, 'homePages'>,
): PageTrait {
  const marks: PageMarks = {
    vary: 'Available-Dictionary',
    choose: negotiateDictionary,
    wanted: (exchange, page) => dictionaries.wanted(exchange, page),
    // Clients may have the version before, too.
    dropped: (key, hasSuccessor) => {
      if (!hasSuccessor) dictionaries.drop(key);
    },
  };
  return {
    keep(page, { query, isEncoded, isFilled }) {
      if (files.homePages === undefined) return undefined;
      if (!isEncoded || isFilled || !isForEverybody(page)) return undefined;
      // Anybody can ask for any number of queries.
      const useAs = query === '' ? files.homePages.get(page.path) : undefined;
      if (useAs === undefined) return marks;
      let isOffered = false;
      return {
        ...marks,
        headers: ({ headers }) => {
          isOffered = isDictionary(page, headers);
          return isOffered ? { always: ['use-as-dictionary', useAs] } : {};
        },
        stored: (key, isHeld) => {
          if (isOffered) dictionaries.hold(key, page.body, isHeld);
        },
      };
    },
  };
}

/** Whether browsers would use the page as a dictionary. */
function isDictionary({ status, body }: StoredPage, headers: HeaderList): boolean {
  const isOwn = valueOf(headers, 'use-as-dictionary') !== undefined;
  return status === 200 && !isOwn && mayBeKept(headers) && mayHold(body);
}

/** Whether only its language and encoding depend on the request. */
function isForEverybody({ headers }: StoredPage): boolean {
  const names = (valueOf(headers, 'vary') ?? '')
    .split(',')
    .map((name) => trimOws(name).toLowerCase());
  return names.every((name) => ['', 'accept-encoding', 'accept-language'].includes(name));
}
