import { normalisePath } from '../../http/target.ts';
import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { AddedHeaders, type ResponseHeaders } from './added-headers.ts';

/**
 * Adds headers to all files, pages and errors of the server. Middleware that sets them would run for each hit. A header
 * that a response has already stays as it is, such as the policy of a page. Responses of your routes get none.
 *
 * @param headers - The headers, or a function of the path, as it was sent without needless escapes and without the query.
 * It must be fast, and return objects that exist already: each new object is checked.
 * @throws SsrError `NG_SSR_OPTION_INVALID` for what cannot be sent, and for headers of caches, cookies and the content. If
 * the function returns such or throws, the response has no added headers, and `onError` gets the error.
 * @example
 * ```ts
 * features: [withHeaders({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' })]
 * ```
 */
export function withHeaders(
  headers: ResponseHeaders | ((path: string) => ResponseHeaders | undefined),
): Feature {
  if (typeof headers !== 'function') {
    const added = new AddedHeaders('withHeaders', headers);
    return feature({ finish: (answer) => added.addTo(answer) });
  }
  const known = new WeakMap<ResponseHeaders, AddedHeaders>();
  return feature({
    finish: (answer, request) => {
      const chosen = headers(normalisePath(request.path));
      if (chosen === undefined) return answer;
      let added = known.get(chosen);
      if (added === undefined) {
        added = new AddedHeaders('the result of withHeaders', chosen);
        known.set(chosen, added);
      }
      return added.addTo(answer);
    },
  });
}

function feature(extension: OwnExtension): Feature {
  const described = { ...extension, describe: () => ({}) };
  return own({ name: 'headers', isForClients: true, install: () => described });
}
