import { shownText } from '../terminal/shown-text.ts';
import type { PageReport, RenderReport } from './render-pages.ts';

/** How many pages of a kind are listed. */
const MOST_LISTED = 20;

/** What was rendered, as text. */
export function toRenderText(report: RenderReport): string {
  const { cached, failed, left, notStored, pages, rendered, seconds } = report;
  const rate = rendered === 0 ? '' : ` (${(rendered / seconds).toFixed(1)} per second)`;
  const parts = [
    `${rendered} rendered in ${seconds.toFixed(1)} s${rate}`,
    `${cached} cached before`,
    ...(notStored.length > 0 ? [`${notStored.length} not stored`] : []),
    `${failed.length} failed`,
    ...(left > 0 ? [`${left} left: run the command again`] : []),
  ];
  return [
    ...list('not stored', notStored),
    ...list('failed', failed),
    `${pages} pages: ${parts.join(', ')}\n`,
  ].join('\n');
}

function list(kind: string, pages: readonly PageReport[]): readonly string[] {
  const lines = pages
    .slice(0, MOST_LISTED)
    .map(({ reason, url }) => shownText(`${kind}  ${url}  ${reason}`));
  const more = pages.length - MOST_LISTED;
  return more > 0 ? [...lines, `${kind}  and ${more} more: --json lists all`] : lines;
}
