import GithubSlugger from 'github-slugger';
import type { Token } from 'markdown-it';
import type { Heading, Passage } from '../contents/page.ts';

/** What a page says, without its markup. */
export interface Outline {
  readonly title: string;
  readonly description: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/** Reads the outline of a page, and gives its headings the ids that repository pages have. */
export function readOutline(tokens: readonly Token[], file: string): Outline {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const passages: { id: string; heading: string; parts: string[]; code: string[] }[] = [];
  let description = '';
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1];
    if (token.type === 'heading_open') {
      const text = toText(inline!);
      const id = slugger.slug(text);
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      headings.push({ id, text, level });
      passages.push({ id: level === 1 ? '' : id, heading: text, parts: [], code: [] });
    } else if (token.type === 'fence') {
      passages.at(-1)?.code.push(token.content);
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      passages.at(-1)?.parts.push(toText(token));
      if (tokens[at - 1]?.type === 'paragraph_open') {
        description ||= shorten(toSentences(token, tokens[at - 2]));
      }
    }
  });
  const titles = headings.filter(({ level }) => level === 1);
  if (titles.length !== 1)
    throw new Error(`${file} has ${titles.length} titles (lines with one #)`);
  return {
    title: titles[0]!.text,
    // A page may be one table.
    description: description || `${titles[0]!.text} of ng-ssr, a server for Angular SSR`,
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    passages: passages.map(({ id, heading, parts, code }) => ({
      id,
      heading,
      text: parts.join(' '),
      code: code.join('\n'),
    })),
  };
}

function toText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'text' || type === 'code_inline' ? content : '';
    })
    .join('')
    .trim();
}

/** A paragraph without its sample: its subject may be the command above it, and a colon may lead to the one below. */
function toSentences(paragraph: Token, above: Token | undefined): string {
  const text = toText(paragraph).replace(/:$/, '.');
  const continues = paragraph.children?.[0]?.type === 'text' && /^[a-z]/.test(text);
  if (!continues || above?.type !== 'fence') return text;
  const [command] = above.content.split(/\s+#|\n/, 1);
  return `${command} ${text}`;
}

const LONGEST = 160;

/** At most 160 characters, cut between sentences or words. */
function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST - 1);
  const sentence = cut.lastIndexOf('. ');
  return sentence > LONGEST / 2
    ? cut.slice(0, sentence + 1)
    : `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
