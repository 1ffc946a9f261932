export const RAW_NONE = 0;
export const RAW = 1;
export const RAW_FALLBACK = 2;

/** What a tag's name says for its serialization. */
export interface TagText {
  readonly open: string;
  readonly close: string;
  /** Without content and closing tag, in HTML. */
  readonly empty: boolean;
  /** How text in it is written, by the name as `tagName` has it: upper case. */
  readonly raw: number;
  /** Whether the name in upper case is one of raw content without a fallback. */
  readonly rawUpper: boolean;
}

// Plain objects, as Angular's DOM has them: what they inherit (`constructor`) counts too.
const RAW_CONTENT: Record<string, number> = {
  STYLE: RAW,
  SCRIPT: RAW,
  XMP: RAW,
  IFRAME: RAW_FALLBACK,
  NOEMBED: RAW_FALLBACK,
  NOSCRIPT: RAW_FALLBACK,
  NOFRAMES: RAW_FALLBACK,
  PLAINTEXT: RAW,
};
const EMPTY: Record<string, boolean> = {};
for (const name of 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
  ' ',
)) {
  EMPTY[name] = true;
}

function make(name: string): TagText {
  return {
    open: `<${name}`,
    close: `</${name}>`,
    empty: Boolean(EMPTY[name]),
    raw: RAW_CONTENT[name] ? Number(RAW_CONTENT[name]) || RAW : RAW_NONE,
    rawUpper: RAW_CONTENT[name.toUpperCase()] === RAW,
  };
}

/** Names kept; what an application makes up beyond them is made each time. */
const MOST_TAGS = 2048;
const known = new Map<string, TagText>();

export function tagText(name: string): TagText {
  let text = known.get(name);
  if (text === undefined) {
    text = make(name);
    if (known.size < MOST_TAGS) known.set(name, text);
  }
  return text;
}
