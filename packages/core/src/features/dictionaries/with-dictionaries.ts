import type { Choose, EncodedForms } from '../../answers/resource.ts';
import { SsrError } from '../../errors.ts';
import { BuiltIndex } from '../../files/built-index.ts';
import { availableDictionaryEncodings } from '../../http/encode-with-dictionary.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import type { OwnExtension, OwnFeature } from '../../path/own-feature.ts';
import { Dictionaries } from './dictionaries.ts';
import { FileDictionaries } from './file-dictionaries.ts';
import { negotiateDictionary } from './negotiate-dictionary.ts';
import { PageFileEncodings } from './page-file-encodings.ts';
import { storedDictionaries } from './stored-dictionaries.ts';

/**
 * Sends public pages as the difference to the home page, or the prerendered page that the client has got first, and scripts
 * and styles as the difference to the previous build (Compression Dictionary Transport, RFC 9842). The home page must be
 * cacheable. For scripts and styles, pack the build with `ng-ssr pack --previous`.
 *
 * @example
 * ```ts
 * features: [withDictionaries()]
 * ```
 */
export function withDictionaries(): Feature {
  const base = { name: 'dictionaries', isForClients: true, isForNode: true };
  return perServer(base, ({ isBuilt }) => {
    const encodings = isBuilt ? availableDictionaryEncodings() : [];
    if (encodings.length > 0) return withEncodings(new Dictionaries(encodings));
    return {
      install: ({ isMain, onError }): OwnExtension => {
        if (isBuilt && isMain) onError(new SsrError('NG_SSR_DICTIONARIES_UNAVAILABLE', MISSING));
        return {};
      },
    };
  });
}

const MISSING =
  'withDictionaries() has no effect: the zlib of this runtime has no dictionaries for Brotli and Zstandard. Use ' +
  'Node 24.21';

function withEncodings(dictionaries: Dictionaries): Partial<OwnFeature> {
  let encodings: PageFileEncodings | undefined;
  const choose: Choose<EncodedForms> = (page, accepted, exchange) => {
    // A hit starts the encoding that its client could have.
    encodings?.want(exchange, page);
    return negotiateDictionary(page, accepted, exchange);
  };
  const files = new FileDictionaries(dictionaries, choose);
  return {
    trait: storedDictionaries(dictionaries, files),
    traitStage: 'encoding',
    fileTrait: files,
    install: (core): OwnExtension => {
      const { index } = core;
      if (index instanceof BuiltIndex) encodings = new PageFileEncodings(dictionaries, index, core);
      return {};
    },
  };
}
