import type { TreeText } from './shapes.ts';

/** The text of Text, Comment and ProcessingInstruction nodes. */
export class TextMembers {
  declare _data: string;

  get nodeValue(): string {
    return this._data;
  }
  set nodeValue(value: unknown) {
    this._data = value === null || value === undefined ? '' : String(value);
  }

  get textContent(): string {
    return this._data;
  }
  set textContent(value: unknown) {
    this._data = value === null || value === undefined ? '' : String(value);
  }

  get data(): string {
    return this._data;
  }
  set data(value: unknown) {
    this._data = value === null ? '' : String(value);
  }
}

/** Writes without a call through the node's class. */
export function setText(node: TreeText, text: string): void {
  node._data = text;
}
