import type { StoredPage, Variants } from './page-store.ts';

/** Whether what a store has given is a page whole enough to be answered with. */
export function isStoredPage(entry: unknown): entry is StoredPage {
  if (typeof entry !== 'object' || entry === null) return false;
  const { status, headers, body, path, tags, nonceAt, ...numbers } = entry as Partial<StoredPage>;
  const { dateMs, freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = numbers;
  const times = [dateMs, freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds];
  return (
    Number.isInteger(status) &&
    status! >= 200 &&
    status! <= 599 &&
    isTexts(headers) &&
    headers.length % 2 === 0 &&
    headers.every((text, at) => (at % 2 === 0 ? NAME : VALUE).test(text)) &&
    body instanceof Uint8Array &&
    typeof path === 'string' &&
    isTexts(tags) &&
    (nonceAt === undefined || isPlaces(nonceAt, body.byteLength)) &&
    times.every((time) => Number.isFinite(time) && time! >= 0)
  );
}

/** Places in a body, in ascending order. */
function isPlaces(places: unknown, length: number): boolean {
  return (
    Array.isArray(places) &&
    places.every(
      (place, at) =>
        Number.isInteger(place) && place >= (at === 0 ? 0 : places[at - 1]) && place <= length,
    )
  );
}

/** Whether it is the names of the fields that complete a key. */
export function isVariants(entry: unknown): entry is Variants {
  if (typeof entry !== 'object' || entry === null) return false;
  const { vary } = entry as Partial<Variants>;
  return isTexts(vary) && vary.every((name) => NAME.test(name));
}

/** RFC 9110 sections 5.1 and 5.5: a server refuses to send others. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((item) => typeof item === 'string');
}
