/** The nonce in the documents of the build, and its replacement in this process. */
export interface DocumentNonce {
  /** The nonce in the built documents. It is public, so it is not a valid nonce. */
  readonly placeholder: string;
  /** The nonce that pages are rendered with. Each response replaces it with its own. */
  readonly secret: string;
}

/**
 * Replaces the placeholder by the secret in a document of the build, only in the attributes `nonce` and
 * `ngCspNonce` of its tags. Call it before a page is rendered into the document: a rendered page may contain
 * markup of any origin.
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
    // What looks like a tag in a script or other raw text is text.
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
