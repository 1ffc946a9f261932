import type { StableResponse } from './stable-turns.ts';

/** Lines that differ between the encodings of one page. */
const OF_ENCODING = /^(content-encoding:|content-length:|etag:|body )/i;

/** A response without what depends on whether its page was compressed by then. */
export function withoutEncoding(response: StableResponse): StableResponse {
  return response.filter((line) => !OF_ENCODING.test(line));
}
