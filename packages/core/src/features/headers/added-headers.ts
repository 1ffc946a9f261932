import { check, checkKey, isOptionObject, keyOf } from '../../check-option.ts';
import type { Answer, StreamedAnswer } from '../../exchange.ts';
import { isForCaches } from '../../http/edge-headers.ts';
import { CONNECTION_HEADERS, type HeaderList, valuesOf } from '../../http/header-list.ts';
import { isHeaderName, isHeaderValue } from '../../http/header-syntax.ts';

/** Headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** What the server decides: who may use a response again, where its content ends, and what the content is. */
const OF_SERVER: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  ...['vary', 'set-cookie', 'cache-status', 'date', 'location', 'http2-settings'],
  ...['content-encoding', 'content-length', 'content-location', 'content-range', 'content-type'],
]);

/** Headers that are added to responses. */
export class AddedHeaders {
  /** Names, in lower case, with the line of each. */
  readonly #lines: readonly (readonly [name: string, line: HeaderList])[];
  /**
   * By the list of a response. Hits share the list of their page, and the socket keeps the bytes of a list: so they
   * must also share the list with these headers.
   */
  readonly #joined = new WeakMap<HeaderList, HeaderList>();

  /**
   * @param option - Its name in messages.
   * @throws SsrError `NG_SSR_OPTION_INVALID`
   */
  constructor(option: string, headers: ResponseHeaders) {
    check(option, headers, isOptionObject(headers), 'an object of header names and values');
    const lines = Object.entries(headers);
    const names = new Set<string>();
    for (const [name, value] of lines) {
      checkKey(option, name, isHeaderName(name), 'the name of a header');
      const lower = name.toLowerCase();
      const isFree = !OF_SERVER.has(lower) && !isForCaches(lower);
      checkKey(option, name, isFree, 'no header of caches, cookies or the content');
      checkKey(option, name, !names.has(lower), 'a header that no other key names, in any case');
      names.add(lower);
      const key = keyOf(option, name);
      check(key, value, isHeaderValue(value), 'text without line breaks and control characters');
    }
    this.#lines = lines.map(([name, value]) => [name.toLowerCase(), [name, value]]);
  }

  addTo<Sent extends Answer | StreamedAnswer>(answer: Sent): Sent {
    let headers = this.#joined.get(answer.headers);
    if (headers === undefined) {
      const has = valuesOf(answer.headers);
      const missing = this.#lines.filter(([name]) => !has.has(name));
      headers = [...answer.headers, ...missing.flatMap(([, line]) => line)];
      this.#joined.set(answer.headers, headers);
    }
    return { ...answer, headers };
  }
}
