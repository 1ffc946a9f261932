import type { Token } from 'markdown-it';

/** As GitHub has them: `> [!NOTE]` in the first line of a quotation. */
const KIND = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$/;

/** Makes boxes of quotations that begin with a kind; `kindOf` has it for their opening token. */
export function markCallouts(tokens: Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'blockquote_open') continue;
    const children = tokens[at + 2]?.children ?? [];
    const kind = KIND.exec(children[0]?.content ?? '')?.[1];
    if (kind === undefined) continue;
    children.splice(0, children[1]?.type === 'softbreak' ? 2 : 1);
    const close = tokens.findIndex(
      ({ type, level }, index) =>
        index > at && type === 'blockquote_close' && level === token.level,
    );
    token.tag = tokens[close]!.tag = 'div';
    token.attrSet('class', `callout ${kind.toLowerCase()}`);
    token.meta = { kind: kind.charAt(0) + kind.slice(1).toLowerCase() };
  }
}

export function kindOf(token: Token): string | undefined {
  return (token.meta as { readonly kind?: string } | null)?.kind;
}
