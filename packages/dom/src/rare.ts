import type { Attr, AttrName, RareState, TokenList, TreeElement, TreeFragment } from './shapes.ts';

/** What few elements have. One object per such element, so that all the others stay small. */
export class Rare implements RareState {
  modTime = 0;
  classList: TokenList | null = null;
  listening: unknown[] | null = null;
  handlers: Record<string, unknown> | null = null;
  style: unknown = null;
  content: TreeFragment | null = null;
  innerHTML: unknown = null;
  form: TreeElement | null = null;
  attrNodes: Map<string | AttrName, Attr> | null = null;
  attributeMap: { refresh(): void } | null = null;
}
