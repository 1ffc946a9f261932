const COLUMNS = ['Angular', 'engine', 'zone', 'pages', 'differences'];

/**
 * The result as a table of Markdown.
 *
 * @param rows - For each variant its version, its number of `pages` and of `differences`; both are undefined where it was
 * not built. `isInformation` is whether it may differ.
 */
export function toTable(rows) {
  const lines = rows
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }))
    .map(({ version, engine, zone, pages, differences, isInformation }) => [
      `${version}${isInformation ? ' (for information)' : ''}`,
      engine,
      zone,
      String(pages ?? '-'),
      String(differences ?? 'not built'),
    ]);
  const all = [COLUMNS, ...lines];
  const widths = COLUMNS.map((_, i) => Math.max(...all.map((cells) => cells[i].length)));
  const toLine = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = toLine(widths.map((width) => '-'.repeat(width)));
  return [toLine(COLUMNS), rule, ...lines.map(toLine)].join('\n');
}

/** Whether pages of a version that is supported differ, or there are none. */
export function hasFailed(rows) {
  return (
    rows.length === 0 ||
    rows.some(({ differences, isInformation }) => {
      return !isInformation && differences !== 0;
    })
  );
}

function nameOf({ version, engine, zone }) {
  return `${version} ${engine} ${zone}`;
}
