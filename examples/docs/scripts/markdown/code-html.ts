import { type Fence, TABS } from '../../../../tools/docs/code-blocks/read-fence.ts';
import { escapeHtml } from './escape-html.ts';
import { highlightLines } from './highlight.ts';

/** In these long lines are wrapped: a space more or less changes nothing. */
const WRAPPED = ['', 'text', 'sh', 'http'];
/** What servers print is read, not copied. */
const READ_ONLY = ['', 'text', 'http'];

/** A block of code with the name of its file and, where `canCopy`, a button. */
export function toCodeHtml(fence: Fence, canCopy: boolean): string {
  const { language, title, hasTitleLine, isDiff } = fence;
  const lines = fence.lines.slice(hasTitleLine ? 1 : 0);
  const start = lines.findIndex(({ text }) => text !== '');
  const shown = lines.slice(Math.max(0, start));
  const html = highlightLines(shown.map(({ text }) => text).join('\n'), language);
  const code = isDiff
    ? html.map((line, at) => toChange(line, shown[at]!.change)).join('')
    : html.join('\n');
  const file = title === undefined ? '' : `<p class="file">${escapeHtml(title)}</p>`;
  const copy =
    canCopy && !READ_ONLY.includes(language)
      ? '<button class="copy" type="button">Copy</button>'
      : '';
  const kind = isDiff ? ' class="diff"' : WRAPPED.includes(language) ? ' class="wrap"' : '';
  return `<div class="code">${file}${copy}<pre tabindex="0"${kind}><code>${code}</code></pre></div>\n`;
}

/** Blocks of which readers choose one. The first is shown to those who have not chosen. */
export function toTabsHtml(fences: readonly Fence[], id: number, canCopy: boolean): string {
  const labels = fences.map(({ tab }, at) => {
    const input = `<input type="radio" name="tabs-${id}" value="${tab}"${at === 0 ? ' checked' : ''}>`;
    return `<label>${input}${escapeHtml(TABS[tab!]!)}</label>`;
  });
  const blocks = fences.map((fence) => toCodeHtml(fence, canCopy));
  return (
    `<fieldset class="tabs"><legend class="hidden">Framework</legend>` +
    `<p class="names">${labels.join('')}</p>\n${blocks.join('')}</fieldset>\n`
  );
}

function toChange(line: string, change: 'added' | 'removed' | undefined): string {
  if (change === undefined) return `<span>${line}</span>`;
  return change === 'added' ? `<ins>${line}</ins>` : `<del>${line}</del>`;
}
