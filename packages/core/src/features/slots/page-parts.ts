import { platform } from '#platform';
import { ATTRIBUTES } from './html-tag.ts';
import { findIslandHosts, type IslandHost } from './island-hosts.ts';
import { islandMarker } from './island-html.ts';
import { joined } from './open-encoding.ts';

/** A page in two parts, between which slots are sent. */
export interface PageParts {
  /** The page up to the end of its body, in pieces. */
  readonly start: readonly Uint8Array[];
  /** How many hosts the islands of the page have, by their slots. */
  readonly islands: ReadonlyMap<string, number>;
  /** The script of a page with islands, if it has a lone one: it has to stand behind their HTML. */
  readonly script: Uint8Array | undefined;
  /** The rest of it. */
  readonly end: Uint8Array;
}

/** What may follow the content of a body: comments, and the end of the document. */
const END = /<\/body\s*>(?:\s|<!--[^>]*-->)*(?:<\/html\s*>(?:\s|<!--[^>]*-->)*)?$/i;
/** The end is read of this many bytes: a longer one has no slots before it, but after it. */
const MOST_END = 4096;

/**
 * Splits a page at the end of its body. A page without one is sent whole: browsers read what follows as part of the body.
 *
 * The script of the application is a module, which browsers run when they have read the whole document. A slow slot
 * would delay it. So it becomes `async`, and the last element of the first part: when a browser runs it, it has read all
 * that the application hydrates. See {@link findLoneModule} for pages that stay as they are.
 *
 * A parser adds the HTML of an island to its host piece by piece. If an application started meanwhile and emptied the host,
 * the rest would get between its nodes. So in a page with islands the script is a part of its own, and is preloaded.
 *
 * @param slots - The names of slots that have HTML.
 */
export function splitPage(html: Uint8Array, slots: readonly string[] = []): PageParts {
  const from = Math.max(0, html.byteLength - MOST_END);
  const found = END.exec(platform.toByteText(html.subarray(from)));
  const at = found === null ? html.byteLength : from + found.index;
  const start = html.subarray(0, at);
  const end = html.subarray(at);
  const text = platform.toByteText(start);
  const hosts = slots.length === 0 ? [] : findIslandHosts(text, slots);
  const islands = new Map<string, number>();
  for (const { slot } of hosts) islands.set(slot, (islands.get(slot) ?? 0) + 1);
  const script = findLoneModule(text);
  if (script === undefined) return { start: marked(start, hosts), islands, script, end };
  const tag = start.subarray(script.from, script.to);
  const moved = [tag.subarray(0, OPENING), ASYNC, tag.subarray(OPENING)];
  const before = marked(start.subarray(0, script.from), hosts);
  const after = start.subarray(script.to);
  if (hosts.length === 0) {
    return { start: [...before, after, ...moved], islands, script: undefined, end };
  }
  const preload = platform.toBytes(preloadOf(text.slice(script.from, script.to)));
  return { start: [...before, preload, after], islands, script: joined(moved), end };
}

/** A page with the markers of its islands, in pieces. */
function marked(page: Uint8Array, hosts: readonly IslandHost[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { slot, at } of hosts) {
    // A host never follows the script of the application: nothing but scripts and comments does.
    pieces.push(page.subarray(from, at), islandMarker(slot));
    from = at;
  }
  return [...pieces, page.subarray(from)];
}

/** A link that has the browser load a module as its script will. */
function preloadOf(script: string): string {
  const [, attributes = ''] = SCRIPT.exec(script)!;
  if (/[^\0-\x7f]/.test(attributes)) return '';
  const kept = attributes.match(OF_LOADING) ?? [];
  return `<link rel="modulepreload"${kept.join('').replace(/\ssrc(?=\s*=)/i, ' href')}>`;
}

const OPENING = '<script'.length;
const ASYNC = platform.toBytes(' async');

/** Where an element stands in a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** A script with its attributes and its content, which has no `</script` in it. */
const SCRIPT = new RegExp(`^<script(${ATTRIBUTES})\\s*>([^]*)</script>$`, 'i');
/** Its attributes on which a browser decides whether it has the module already. */
const OF_LOADING =
  /\s(?:src|crossorigin|integrity|nonce|referrerpolicy|fetchpriority)(?=[\s=]|$)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/gi;
const CLOSING = '</script>';
const IS_MODULE = /\stype\s*=\s*["']?module["'\s]/i;
const HAS_SOURCE = /\ssrc\s*=/i;
const IS_ASYNC = /\sasync(?:[\s=]|$)/i;
const IS_DEFERRED = /\sdefer(?:[\s=]|$)/i;
/**
 * Scripts before the last elements that run in their order after parsing, or may: a comment or a text is taken for one. No
 * part of it passes a `<`, so that a page with many of them is read once.
 */
const DEFERRED_BEFORE =
  /<script(?:[^<>"']|"[^"<]*"|'[^'<]*')*?(?<=[\s"'])(?:type\s*=\s*["']?module|defer)/i;

/**
 * The module script of a page that has no other script which waits for the end of the document: with two of them, as
 * Angular's polyfills and the application, `async` would let the second one run first.
 *
 * Only scripts at the end of a body are looked at, where Angular puts its own: what ends a page is not within a comment, a
 * template or the text of another script.
 *
 * @param start - A page up to the end of its body.
 * @returns undefined if there is none, or more than one.
 */
function findLoneModule(start: string): Place | undefined {
  let found: Place | undefined;
  let to = start.trimEnd().length;
  for (;;) {
    if (start.endsWith('-->', to)) {
      const from = start.lastIndexOf('<!--', to - 3);
      // A comment begins at the first of several marks.
      const before = start.lastIndexOf('-->', from);
      if (from === -1 || start.indexOf('<!--', before + 1) !== from) return undefined;
      to = start.slice(0, from).trimEnd().length;
      continue;
    }
    if (!start.startsWith(CLOSING, to - CLOSING.length)) break;
    const from = start.lastIndexOf('<script', to - CLOSING.length);
    const [, attributes, content = ''] = SCRIPT.exec(start.slice(from, to)) ?? [];
    if (attributes === undefined || /<\/script/i.test(content)) break;
    const given = `${attributes} `;
    if (IS_DEFERRED.test(given)) return undefined;
    if (IS_MODULE.test(given) && !IS_ASYNC.test(given)) {
      if (found !== undefined || content !== '' || !HAS_SOURCE.test(given)) return undefined;
      found = { from, to };
    }
    to = start.slice(0, from).trimEnd().length;
  }
  return DEFERRED_BEFORE.test(start.slice(0, to)) ? undefined : found;
}
