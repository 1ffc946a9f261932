import { readFence } from './read-fence.ts';

/** A block of code in a Markdown file. */
export interface CodeBlock {
  /** Of the Markdown file, from the root of the repository. */
  readonly page: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  /** That of the file for a diff. */
  readonly language: string;
  /** The framework whose tab it is. */
  readonly tab: string | undefined;
  /** Of a diff what it leads to, with empty lines for the removed ones. */
  readonly code: string;
  /** Of a comment `<!-- code: fragment of TYPE -->` before it. */
  readonly fragmentOf: string | undefined;
  /** Of a comment `<!-- code: not compiled: REASON -->` before it. */
  readonly notCompiled: string | undefined;
}

const FENCE = /^( *)(`{3,}|~{3,})(.*)/;
const COMMENT = /^<!-- code: (.*) -->$/;

/** @throws Error for a comment that says neither of both. */
export function readCodeBlocks(page: string, text: string): CodeBlock[] {
  const lines = text.split('\n');
  const blocks: CodeBlock[] = [];
  let comment: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = FENCE.exec(lines[at]!) ?? [];
    if (fence === undefined) {
      if (lines[at]!.trim() !== '') comment = COMMENT.exec(lines[at]!.trim())?.[1];
      continue;
    }
    const line = at + 2;
    const code: string[] = [];
    for (at++; at < lines.length && lines[at]!.trim() !== fence; at++) {
      code.push(lines[at]!.startsWith(indent) ? lines[at]!.slice(indent.length) : lines[at]!);
    }
    const { language, tab, lines: shown } = readFence(info, code.join('\n'));
    blocks.push({
      page,
      line,
      language,
      tab,
      code: shown.map(({ text, change }) => (change === 'removed' ? '' : text)).join('\n'),
      ...readComment(comment, page, line),
    });
    comment = undefined;
  }
  return blocks;
}

function readComment(
  comment: string | undefined,
  page: string,
  line: number,
): Pick<CodeBlock, 'fragmentOf' | 'notCompiled'> {
  const [, fragmentOf] = /^fragment of (\w+)$/.exec(comment ?? '') ?? [];
  const [, notCompiled] = /^not compiled: (.+)$/.exec(comment ?? '') ?? [];
  if (comment !== undefined && (fragmentOf ?? notCompiled) === undefined) {
    throw new Error(`${page}:${line}: "${comment}" is neither "fragment of" nor "not compiled:"`);
  }
  return { fragmentOf, notCompiled };
}
