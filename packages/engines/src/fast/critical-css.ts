import type { WrittenPage } from '@ng-ssr/dom';

/** Changes that inlining critical CSS makes to a page, between its parts that stay. */
interface Edit {
  /** In place of the links of stylesheets. */
  readonly links: Uint8Array;
  /** Before the end tags of head and body. */
  readonly headEnd: Uint8Array;
  readonly bodyEnd: Uint8Array;
}

/** Longer texts between the first and the last link of stylesheets are not remembered. */
const MAX_LINKS = 8 * 1024;
const MAX_EDITS = 500;
const MAX_EDIT_BYTES = 32 * 1024 * 1024;

const decoder = new TextDecoder();

/**
 * Inlines critical CSS as Angular does, which it asks once for each set of matching selectors: its changes of one
 * page are those of all pages where the same selectors match, with the same links.
 */
export class CriticalCss {
  #edits = new Map<string, Edit>();
  #bytes = 0;

  /** The page with critical CSS, if its changes are known. */
  apply(page: WrittenPage, key: string): Uint8Array<ArrayBuffer> | undefined {
    // Without a stylesheet there is nothing to change.
    if (page.linksStart < 0) return new Uint8Array(page.bytes);
    const edit = isUsual(page) ? this.#edits.get(keyOf(page, key)) : undefined;
    return edit && join(page, edit);
  }

  /**
   * Remembers how Angular has changed a page.
   *
   * @returns false if the changes cannot be told from the page.
   */
  learn(page: WrittenPage, key: string, changed: string): boolean {
    const text = Buffer.from(changed);
    if (page.linksStart < 0) return text.equals(page.bytes);
    const edit = compare(page, text);
    if (edit === undefined || page.linksEnd - page.linksStart > MAX_LINKS) return false;
    const { links, headEnd, bodyEnd } = edit;
    const bytes = links.length + headEnd.length + bodyEnd.length;
    if (this.#edits.size >= MAX_EDITS || this.#bytes + bytes > MAX_EDIT_BYTES) {
      this.#edits = new Map();
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    this.#edits.set(keyOf(page, key), edit);
    return true;
  }
}

/** The text from the first to the last link of a page. */
export function linksOf({ bytes, linksStart, linksEnd }: WrittenPage): string {
  return decoder.decode(bytes.subarray(linksStart, linksEnd));
}

function keyOf(page: WrittenPage, key: string): string {
  return `${key} ${page.headEnd === page.linksEnd} ${linksOf(page)}`;
}

/** Whether the links are in the head, and the body is after it. */
function isUsual({ linksEnd, headEnd, bodyEnd }: WrittenPage): boolean {
  return headEnd >= linksEnd && bodyEnd >= headEnd;
}

/** The parts of a page that stay, in their order. */
function partsOf({ bytes, linksStart, linksEnd, headEnd, bodyEnd }: WrittenPage): Uint8Array[] {
  return [
    bytes.subarray(0, linksStart),
    bytes.subarray(linksEnd, headEnd),
    bytes.subarray(headEnd, bodyEnd),
    bytes.subarray(bodyEnd),
  ];
}

function join(page: WrittenPage, edit: Edit): Uint8Array<ArrayBuffer> {
  const [start, head, body, end] = partsOf(page);
  const parts = [start!, edit.links, head!, edit.headEnd, body!, edit.bodyEnd, end!];
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The changes between the parts that stay; undefined if they cannot be told apart. */
function compare(page: WrittenPage, changed: Buffer): Edit | undefined {
  if (!isUsual(page)) return undefined;
  const [start, head, body, end] = partsOf(page).map((part) => Buffer.from(part));
  const bodyAt = changed.indexOf(body!, start!.length);
  if (bodyAt < 0 || changed.indexOf(body!, bodyAt + 1) >= 0) return undefined;
  const beforeBody = changed.subarray(start!.length, bodyAt);
  const isHeadEndKept = beforeBody.subarray(-head!.length).equals(head!);
  const headAt =
    isHeadEndKept || head!.length === 0
      ? beforeBody.length - head!.length
      : beforeBody.indexOf(head!);
  if (headAt < 0) return undefined;
  const edit = {
    links: Buffer.from(beforeBody.subarray(0, headAt)),
    headEnd: Buffer.from(beforeBody.subarray(headAt + head!.length)),
    bodyEnd: Buffer.from(changed.subarray(bodyAt + body!.length, changed.length - end!.length)),
  };
  return changed.equals(join(page, edit)) ? edit : undefined;
}
