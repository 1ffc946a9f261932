/** How an element of some tag is written. */
export interface TagForm {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  /** An HTML element without content and end tag. */
  readonly isVoid: boolean;
  readonly kind: Kind;
}

/**
 * `raw`: its text is no markup. `text`: it has text alone. `fallback`: its text is markup only where scripts do
 * not run. `other`: not written here.
 */
export type Kind = 'plain' | 'raw' | 'text' | 'fallback' | 'link' | 'head' | 'body' | 'other';

const VOID = 'area base br col embed hr img input link meta param source track wbr'.split(' ');

const KINDS: Readonly<Record<string, Kind>> = {
  style: 'raw',
  script: 'raw',
  title: 'text',
  textarea: 'text',
  noscript: 'fallback',
  noembed: 'other',
  noframes: 'other',
  iframe: 'fallback',
  link: 'link',
  head: 'head',
  body: 'body',
  xmp: 'other',
  plaintext: 'other',
  template: 'other',
  // Without an end tag for HTML's serialization alone.
  basefont: 'other',
  bgsound: 'other',
  frame: 'other',
  keygen: 'other',
};

const MAX_REMEMBERED = 2000;
const forms = new Map<string, TagForm>();
const encoder = new TextEncoder();

/** The form of an element, by its local name. */
export function formOf(localName: string): TagForm {
  const known = forms.get(localName);
  if (known !== undefined) return known;
  const form: TagForm = {
    start: encoder.encode(`<${localName}`),
    end: encoder.encode(`</${localName}>`),
    isVoid: VOID.includes(localName),
    kind: Object.hasOwn(KINDS, localName) ? KINDS[localName]! : kindOfName(localName),
  };
  if (forms.size < MAX_REMEMBERED) forms.set(localName, form);
  return form;
}

/** A name such as `link-button` looks like another tag to a search for tags. */
function kindOfName(localName: string): Kind {
  return /^(?:link|body|head)\b/i.test(localName) || /[\s/>"'=<]/.test(localName)
    ? 'other'
    : 'plain';
}
