import { platform } from '#platform';

/** What ends a script in HTML, and what other charsets than UTF-8 write in other bytes. */
const ESCAPED = /[<\u007f-\uffff]/g;
/** More would keep the event loop from other requests. */
export const MOST_CHARACTERS = 1_000_000;

/**
 * The element that carries the data of a slot. Its text ends with a line break, which JSON has nowhere else: a reader
 * that sees the element while it arrives knows whether it is complete.
 *
 * @param name - As options allow it.
 * @throws Error if the data cannot be sent as JSON.
 */
export function slotScript(name: string, data: unknown): Uint8Array {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError(`a value of type ${typeof data} is not JSON`);
  if (json.length > MOST_CHARACTERS) {
    throw new RangeError(`its JSON has ${json.length} characters; allowed: ${MOST_CHARACTERS}`);
  }
  const text = json.replace(ESCAPED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return element(name, text);
}

/** The element of a slot whose data does not come. */
export function failedSlotScript(name: string): Uint8Array {
  return element(name, '');
}

function element(name: string, text: string): Uint8Array {
  return platform.toBytes(
    `<script type="application/json" data-ng-ssr-slot="${name}">${text}\n</script>`,
  );
}
