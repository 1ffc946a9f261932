import { isHeaderName, isHeaderValue } from '../../http/header-syntax.ts';
import { STORABLE } from '../../pages/policy/may-store.ts';
import { NEVER_STORED } from '../../pages/flights/to-stored-page.ts';
import type { StoredPage, Variants } from '../../pages/stored-page.ts';

/** Whether a value from a store is a complete and valid page. */
export function isStoredPage(entry: unknown): entry is StoredPage {
  if (typeof entry !== 'object' || entry === null) return false;
  const { status, headers, body, brotli, path, tags, nonceAt, ...numbers } =
    entry as Partial<StoredPage>;
  const { dateMs, freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = numbers;
  const times = [dateMs, freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds];
  return (
    STORABLE.has(status!) &&
    isTexts(headers) &&
    headers.length % 2 === 0 &&
    headers.every((text, at) => (at % 2 === 0 ? isStoredName(text) : isHeaderValue(text))) &&
    body instanceof Uint8Array &&
    (status !== 204 || body.byteLength === 0) &&
    // A store that does not know them may make something else of them: who takes them looks.
    (brotli === undefined || nonceAt === undefined) &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    isTexts(tags) &&
    (nonceAt === undefined || isPlaces(nonceAt, body.byteLength)) &&
    times.every((time) => Number.isFinite(time) && time! >= 0)
  );
}

/** Whether these are offsets in a body, in ascending order. */
function isPlaces(places: unknown, length: number): boolean {
  return (
    Array.isArray(places) &&
    places.every(
      (place, at) =>
        Number.isInteger(place) && place >= (at === 0 ? 0 : places[at - 1]) && place <= length,
    )
  );
}

/** Whether an entry holds the names of the headers that complete a key. */
export function isVariants(entry: unknown): entry is Variants {
  if (typeof entry !== 'object' || entry === null) return false;
  const { vary } = entry as Partial<Variants>;
  return isTexts(vary) && vary.every((name) => isHeaderName(name) && name === name.toLowerCase());
}

function isStoredName(text: string): boolean {
  return isHeaderName(text) && !NEVER_STORED.has(text.toLowerCase());
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((item) => typeof item === 'string');
}
