import type { Token } from 'markdown-it';
import { alikeServers } from '../../../../tools/docs/code-blocks/alike-servers.ts';
import { readFence } from '../../../../tools/docs/code-blocks/read-fence.ts';

/**
 * Gives consecutive blocks of code with a tab the list of their group, as `meta.tabs`. Where the page folds some of them,
 * for GitHub, the fold goes.
 */
export function groupTabs(tokens: readonly Token[]): void {
  let group: Token[] = [];
  let isFolded = false;
  for (const [at, token] of tokens.entries()) {
    if (hasTab(token)) {
      group.push(token);
      if (group.length > 1) for (const each of group) each.meta = { tabs: group };
    } else if (group.length > 0 && startsFold(token) && hasTab(tokens[at + 1])) {
      isFolded = true;
      token.content = '';
    } else if (isFolded && token.content.startsWith('</details>')) {
      isFolded = false;
      token.content = '';
    } else if (!isComment(token)) {
      group = [];
    }
  }
}

/** Tokens in which a sample of a server is there for each framework that creates it alike. */
export function addAlikeTabs(tokens: readonly Token[], page: string): Token[] {
  return tokens.flatMap((token) => {
    const forms = token.type === 'fence' ? alikeServers(page, token.content) : undefined;
    if (forms === undefined) return token;
    return [...forms].map(([tab, content]) => {
      const form = Object.create(Object.getPrototypeOf(token) as object) as Token;
      return Object.assign(form, token, { info: `ts ${tab}`, content, meta: null });
    });
  });
}

function hasTab(token: Token | undefined): boolean {
  if (token?.type !== 'fence') return false;
  return readFence(token.info, token.content).tab !== undefined;
}

function startsFold({ type, content }: Token): boolean {
  return type === 'html_block' && content.startsWith('<details>');
}

/** It says how a block is compiled. */
function isComment({ type, content }: Token): boolean {
  return type === 'html_block' && content.startsWith('<!-- code:');
}
