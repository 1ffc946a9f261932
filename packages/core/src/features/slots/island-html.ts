import { platform } from '#platform';
import { ATTRIBUTES, OF_TEXT, VOID } from './html-tag.ts';
import { MOST_CHARACTERS } from './slot-script.ts';

/**
 * The marker with which the content of an island's host begins. A browser that knows `<template for>` replaces all from
 * here to the end of the host; others take it for a comment.
 */
export function islandMarker(name: string): Uint8Array {
  return platform.toBytes(`<?start name="${name}">`);
}

/**
 * The elements that bring the HTML of an island: one for each of its hosts, because each fills the first marker that is
 * left.
 *
 * @param name - As options allow it.
 * @throws Error if the HTML could change the page after it, or contains an element that is not allowed.
 */
export function islandTemplates(name: string, html: unknown, hosts: number): Uint8Array {
  if (typeof html !== 'string') throw new TypeError(`html returned ${typeof html}, not a string`);
  if (html.length * hosts > MOST_CHARACTERS) {
    throw new RangeError(
      `its HTML has ${html.length * hosts} characters; allowed: ${MOST_CHARACTERS}`,
    );
  }
  checkHtml(html);
  // Pages in other charsets than UTF-8 have these characters in other bytes.
  const text = html.replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`);
  return platform.toBytes(`<template for="${name}">${text}</template>`.repeat(hosts));
}

const START = new RegExp(`<([a-z][^\\s"'<>/=\\x80-\\uffff]*)(${ATTRIBUTES})\\s*(/?)>`, 'iy');
const END = /<\/([a-z][^\s"'<>/=]*)\s*>/iy;
/** A parser reads markup at these characters, and text at others. */
const IS_MARKUP = /^<[a-z/!?]/i;
/** Scripts of an island would run in some browsers alone, and styles belong to the component. */
const REFUSED = new Set([...OF_TEXT].filter((each) => !/^(?:iframe|textarea|title)$/.test(each)));

/**
 * Checks that each element, comment and attribute of HTML has its end: a template that is left open would take all that
 * follows it in the document.
 */
function checkHtml(html: string): void {
  const open: string[] = [];
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (!IS_MARKUP.test(html.slice(at, at + 2))) at++;
    else if (html.startsWith('<!--', at) && !OF_TEXT.has(open.at(-1)!)) at = endOfComment(html, at);
    else if (html.startsWith('</', at)) {
      END.lastIndex = at;
      const name = END.exec(html)?.[1]?.toLowerCase();
      if (name === undefined || name !== open.pop()) refuse(html, at, 'this does not end');
      at = END.lastIndex;
    } else at = endOfStart(html, at, open);
  }
  if (open.length > 0) throw new SyntaxError(`its HTML has no </${open.at(-1)}> at its end`);
}

function endOfComment(html: string, at: number): number {
  const end = html.indexOf('-->', at + 4);
  const text = html.slice(at + 4, Math.max(end, at + 4));
  if (end === -1 || /^-?>|--!>/.test(text)) refuse(html, at, 'a comment without a plain end:');
  return end + 3;
}

function endOfStart(html: string, at: number, open: string[]): number {
  START.lastIndex = at;
  const [tag, given = '', attributes = '', slash] = START.exec(html) ?? [];
  const name = given.toLowerCase();
  if (tag === undefined || /[^\0-\x7f]/.test(attributes.replace(/"[^"]*"|'[^']*'/g, ''))) {
    return refuse(html, at, 'no plain tag:');
  }
  if (REFUSED.has(name) || OF_TEXT.has(open.at(-1)!)) refuse(html, at, 'not allowed:');
  if (!VOID.has(name)) {
    const isForeign = open.includes('svg') || open.includes('math');
    if (slash !== '/') open.push(name);
    else if (!isForeign || name === 'template' || OF_TEXT.has(name)) {
      refuse(html, at, 'not an end in HTML: the "/" of');
    }
  }
  return at + tag.length;
}

function refuse(html: string, at: number, reason: string): never {
  const shown = JSON.stringify(html.slice(at, at + 40));
  throw new SyntaxError(`its HTML is not well-formed at character ${at}: ${reason} ${shown}`);
}
