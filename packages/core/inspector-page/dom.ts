type Child = Node | string;
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An element of the shell. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** A new element. Text goes in as text: nothing that comes from a request is read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(name: string, attributes: Attributes, ...children: Node[]): SVGElement {
  const made = document.createElementNS(SVG, name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

function setAttributes(of: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) continue;
    of.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Sets a text where it has changed, so that screen readers and selections keep what has not. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

/** Text that a client has chosen, apart from the direction of the text around it. */
export function foreign(text: string): HTMLElement {
  return element('bdi', {}, visible(text));
}

/** Control characters, and those that reorder or break lines, as their numbers. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

export function row(...cells: Child[]): HTMLTableRowElement {
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

/** Replaces the rows of a table; without any it says so. */
export function fill(body: HTMLElement, rows: readonly HTMLTableRowElement[], none: string): void {
  const columns = body.closest('table')?.tHead?.rows[0]?.cells.length ?? 1;
  const empty = element('tr', {}, element('td', { colspan: columns, class: 'none' }, none));
  body.replaceChildren(...(rows.length === 0 ? [empty] : rows));
}
