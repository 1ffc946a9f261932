import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import type { Rendered, SourcePage } from '../contents/page.ts';
import { escapeHtml } from './escape-html.ts';
import { highlight } from './highlight.ts';
import type { Links } from './links.ts';
import { readOutline } from './read-outline.ts';

/** The one kind of raw HTML that pages have: TypeDoc's targets of links. */
const ANCHOR = /^<a id="[\w-]+">$|^<\/a>$/;

const dropComment: RendererRule = (tokens, at) => {
  const { content } = tokens[at]!;
  return /^\s*<!--[^]*-->\s*$/.test(content) ? '' : escapeHtml(content);
};

const markdown = new MarkdownIt({ html: true, linkify: false });
Object.assign(markdown.renderer.rules, {
  html_block: dropComment,
  html_inline: (tokens, at, ...more) =>
    ANCHOR.test(tokens[at]!.content) ? tokens[at]!.content : dropComment(tokens, at, ...more),
  fence: (tokens, at) => {
    const { content, info } = tokens[at]!;
    const language = info.trim().split(/\s/)[0] ?? '';
    const code = highlight(content.trimEnd(), language);
    return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
  },
  // Lets readers copy the address of a heading; a screen reader passes over it.
  heading_close: (tokens, at, _options, env) => {
    const { tag } = tokens[at]!;
    const href = `/${env!['path']}#${tokens[at - 2]!.attrGet('id')}`;
    const link = `<a class="anchor" href="${href}" aria-hidden="true" tabindex="-1"></a>`;
    return `${tag === 'h1' ? '' : link}</${tag}>\n`;
  },
  table_open: () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
} satisfies Record<string, RendererRule>);

/** A page's Markdown as HTML: raw HTML becomes text, links lead to routes, code is highlighted. */
export function renderPage(page: SourcePage, links: Links): Rendered {
  const tokens = markdown.parse(page.markdown, {});
  const outline = readOutline(tokens, page.file ?? page.path);
  for (const token of tokens) {
    alignByClass(token);
    for (const child of token.children ?? []) leadTo(child, links);
  }
  const html = markdown.renderer.render(tokens, markdown.options, { path: page.path });
  return { ...outline, html };
}

/** Cells have their alignment as a style attribute, which the site's security policy forbids. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = [['class', String(style).replace('text-align:', 'to-')]];
}

function leadTo(token: Token, links: Links): void {
  if (token.type === 'link_open') {
    token.attrSet('href', links.toHref(String(token.attrGet('href'))));
  } else if (token.type === 'image') {
    const { address, width, height } = links.toImage(String(token.attrGet('src')));
    token.attrs!.push(['width', width], ['height', height], ['loading', 'lazy']);
    token.attrSet('src', address);
  }
}
