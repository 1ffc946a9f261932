import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import type { Rendered, SourcePage } from '../contents/page.ts';
import { type Fence, readFence } from '../../../../tools/docs/code-blocks/read-fence.ts';
import { kindOf, markCallouts } from './callouts.ts';
import { markCheckBoxes } from './check-boxes.ts';
import { toCodeHtml, toTabsHtml } from './code-html.ts';
import { escapeHtml } from './escape-html.ts';
import { addAlikeTabs, groupTabs } from './group-tabs.ts';
import type { Links } from './links.ts';
import { readOutline } from './read-outline.ts';

/** The raw HTML that pages have: targets of links, and parts that are folded. */
const ANCHOR = /^<a id="[\w-]+">$|^<\/a>$/;

const DETAILS = /^<details>\n<summary>(?:[^<]|<\/?code>)*<\/summary>\n*$|^<\/details>\n*$/;

const dropComment: RendererRule = (tokens, at) => {
  const { content } = tokens[at]!;
  return /^\s*<!--[^]*-->\s*$/.test(content) ? '' : escapeHtml(content);
};

/** A heading of errors.md: longer than a phone is wide. */
const CODE = /^(?:[A-Z]+_)+[A-Z]+$/;

const markdown = new MarkdownIt({ html: true, linkify: false });
Object.assign(markdown.renderer.rules, {
  text: (tokens, at) => {
    const { content } = tokens[at]!;
    return CODE.test(content) ? content.replaceAll('_', '_<wbr>') : escapeHtml(content);
  },
  html_block: (tokens, at, ...more) =>
    DETAILS.test(tokens[at]!.content) ? tokens[at]!.content : dropComment(tokens, at, ...more),
  html_inline: (tokens, at, ...more) =>
    ANCHOR.test(tokens[at]!.content) ? tokens[at]!.content : dropComment(tokens, at, ...more),
  fence: (tokens, at, _options, env) => {
    const token = tokens[at]!;
    const group = (token.meta as { readonly tabs?: readonly Token[] } | null)?.tabs;
    if (group === undefined) return toCodeHtml(toFence(token), env!['canCopy'] === true);
    // The first one brings all of its group.
    return group[0] === token ? toTabsHtml(group.map(toFence), at, env!['canCopy'] === true) : '';
  },
  blockquote_open: (tokens, at, options, _env, self) => {
    const kind = kindOf(tokens[at]!);
    const title = kind === undefined ? '' : `<p class="kind">${kind}</p>\n`;
    return self.renderToken(tokens, at, options) + title;
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
  const tokens = addAlikeTabs(markdown.parse(page.markdown, {}), page.file ?? '');
  markCallouts(tokens);
  markCheckBoxes(tokens);
  groupTabs(tokens);
  const outline = readOutline(tokens, page.file ?? page.path);
  for (const token of tokens) {
    alignByClass(token);
    for (const child of token.children ?? []) leadTo(child, links);
  }
  // The declarations of the API are read, not copied.
  const env = { path: page.path, canCopy: page.file !== undefined };
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { ...outline, html };
}

function toFence({ info, content }: Token): Fence {
  return readFence(info, content.trimEnd());
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
