import type { Token } from 'markdown-it';
import { readFence } from '../../../../tools/docs/code-blocks/read-fence.ts';

/** Gives consecutive blocks of code with a tab the list of their group, as `meta.tabs`. */
export function groupTabs(tokens: readonly Token[]): void {
  let group: Token[] = [];
  for (const token of tokens) {
    // A comment says how a block is compiled.
    if (token.type === 'html_block' && token.content.startsWith('<!-- code:')) continue;
    if (token.type === 'fence' && readFence(token.info, token.content).tab !== undefined) {
      group.push(token);
      if (group.length > 1) for (const each of group) each.meta = { tabs: group };
    } else {
      group = [];
    }
  }
}
