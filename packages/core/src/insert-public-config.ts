/**
 * Adds the public configuration to a document, as the first script of its head: a later element with the same id is
 * ignored. Engines call it before they render into the document.
 *
 * @param document - A document of the build, whole. As text of one byte per character (`latin1`) it may have any
 * encoding.
 * @param html - `publicConfig` of {@link EngineSetup}; undefined for none.
 * @returns The document itself if it has the configuration already, or is not a whole document.
 */
export function insertPublicConfig(document: string, html: string | undefined): string {
  const at = html === undefined ? undefined : placeIn(document);
  if (at === undefined || document.startsWith(html!, at)) return document;
  return document.slice(0, at) + html + document.slice(at);
}

const BETWEEN = String.raw`(?:\s|<!--(?:[^-]|-(?!->))*-->)*`;
const ATTRIBUTES = String.raw`(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?`;
/** The charset stays in front: browsers look for it in the first 1024 bytes of files without a Content-Type. */
const CHARSET = String.raw`(?:\s*<meta\s+charset\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)\s*/?>)?`;
const START = new RegExp(
  String.raw`^(?:\uFEFF|\xEF\xBB\xBF)?${BETWEEN}(<!doctype[^>]*>)?` +
    String.raw`(?:${BETWEEN}(<html${ATTRIBUTES}>))?(?:${BETWEEN}(<head${ATTRIBUTES}>)${CHARSET})?`,
  'i',
);

/** Where the head begins: an HTML parser opens one in documents without its tag. Undefined for a fragment. */
function placeIn(document: string): number | undefined {
  const [start, doctype, html, head] = START.exec(document)!;
  const isWhole = doctype !== undefined || html !== undefined || head !== undefined;
  return isWhole ? start.length : undefined;
}
