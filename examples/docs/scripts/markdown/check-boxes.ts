import type { Token } from 'markdown-it';

const OPEN = /^\[ \] /;

/** Items of a checklist, `- [ ] text` as on GitHub, begin with a box. */
export function markCheckBoxes(tokens: readonly Token[]): void {
  for (const [at, { type }] of tokens.entries()) {
    const first = type === 'list_item_open' ? tokens[at + 2]?.children?.[0] : undefined;
    if (first !== undefined) first.content = first.content.replace(OPEN, '\u2610 ');
  }
}
