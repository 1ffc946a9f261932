import { randomBytes } from 'node:crypto';

/** The nonce that the build has put into its documents, and what takes its place in this process. */
export interface DocumentNonce {
  /** What stands in the built documents. Anybody may know it, so it never becomes a valid nonce. */
  readonly placeholder: string;
  /** What pages are rendered with: every answer gets a nonce of its own in its place. */
  readonly secret: string;
}

/** Of characters that HTML, JSON and a policy keep as they are. Render threads are given it. */
const SECRET = randomBytes(24).toString('base64url');

export function documentNonceOf(placeholder: string): DocumentNonce {
  return { placeholder, secret: SECRET };
}

/**
 * Puts the secret in the placeholder's place in a document of the build, in the attributes `nonce` and
 * `ngCspNonce` of its tags only. For documents before they are rendered into: a rendered page may
 * hold anybody's markup.
 */
export function markNonces(document: string, { placeholder, secret }: DocumentNonce): string {
  if (!document.includes(placeholder)) return document;
  let marked = '';
  let from = 0;
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(document); tag !== null; tag = TAG.exec(document)) {
    const [text, name] = tag;
    if (name === undefined) continue;
    marked += document.slice(from, tag.index) + markTag(text, placeholder, secret);
    from = TAG.lastIndex;
    if (!RAW_TEXT.has(name.toLowerCase())) continue;
    // What looks like a tag in a script is text.
    const end = new RegExp(`</${name}`, 'gi');
    end.lastIndex = from;
    if (!end.test(document)) break;
    TAG.lastIndex = end.lastIndex;
  }
  return marked + document.slice(from);
}

/** A comment, or a start tag with its name. */
const TAG = /<!--[^]*?-->|<([a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);
const NAMES: ReadonlySet<string> = new Set(['nonce', 'ngcspnonce']);
const ATTRIBUTE = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

function markTag(tag: string, placeholder: string, secret: string): string {
  return tag.replace(ATTRIBUTE, (text: string, name: string, equals: string, value: string) => {
    if (!NAMES.has(name.toLowerCase())) return text;
    const isQuoted = value.startsWith('"') || value.startsWith("'");
    const bare = isQuoted ? value.slice(1, -1) : value;
    return bare === placeholder ? `${name}${equals}"${secret}"` : text;
  });
}
