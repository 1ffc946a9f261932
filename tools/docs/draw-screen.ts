const CELL = { width: 8.4, height: 18 } as const;
const MARGIN = 14;
const STEPS = '▁▂▃▄▅▆▇█';
const COLORS: Readonly<Record<string, string>> = {
  31: '#f47067',
  32: '#57ab5a',
  33: '#e0a945',
  34: '#539bf5',
  39: '#d5dde5',
};

interface Style {
  color: string;
  isBold: boolean;
  isDim: boolean;
}

/**
 * Draws the lines of a terminal, with their colors, as an SVG. Blocks are drawn as rectangles, so that they meet in
 * every font.
 */
export function drawScreen(lines: readonly string[], columns: number): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = Math.ceil(lines.length * CELL.height + 2 * MARGIN);
  const drawn = lines.flatMap((line, row) => drawLine(line, row));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    '<title>ng-ssr top while a server gets ten times the load that it can render</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#1c2128"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function drawLine(line: string, row: number): readonly string[] {
  const style: Style = { color: COLORS[39]!, isBold: false, isDim: false };
  const drawn: string[] = [];
  let column = 0;
  for (const part of line.split(/(\x1b\[[\d;?]*[A-Za-z])/)) {
    if (part.startsWith('\x1b')) {
      if (part.endsWith('m')) apply(style, part.slice(2, -1));
      continue;
    }
    for (const run of part.match(/[▁▂▃▄▅▆▇█░]|[^▁▂▃▄▅▆▇█░]+/g) ?? []) {
      drawn.push(...drawRun(run, column, row, style));
      column += run.length;
    }
  }
  return drawn;
}

function apply(style: Style, code: string): void {
  if (code === '0' || code === '')
    Object.assign(style, { color: COLORS[39], isBold: false, isDim: false });
  else if (code === '1') style.isBold = true;
  else if (code === '2') style.isDim = true;
  else if (code === '22') style.isBold = style.isDim = false;
  else style.color = COLORS[code] ?? style.color;
}

function drawRun(run: string, column: number, row: number, style: Style): readonly string[] {
  const x = MARGIN + column * CELL.width;
  const y = MARGIN + row * CELL.height;
  const isBlock = STEPS.includes(run) || run === '░';
  if (isBlock) {
    const part = run === '░' ? STEPS.length : STEPS.indexOf(run) + 1;
    const height = (part / STEPS.length) * (CELL.height - 3);
    const opacity = run === '░' ? ' opacity="0.25"' : '';
    const top = y + CELL.height - 2 - height;
    return [
      `<rect x="${round(x)}" y="${round(top)}" width="${CELL.width + 0.1}" height="${round(height)}" fill="${style.color}"${opacity}/>`,
    ];
  }
  if (run.trim() === '') return [];
  const start = run.length - run.trimStart().length;
  const content = escape(run.trim());
  const weight = style.isBold ? ' font-weight="bold"' : '';
  const opacity = style.isDim ? ' opacity="0.65"' : '';
  const length = round(run.trim().length * CELL.width);
  return [
    `<text x="${round(x + start * CELL.width)}" y="${round(y + CELL.height - 5)}" textLength="${length}" ` +
      `xml:space="preserve" fill="${style.color}"${weight}${opacity}>${content}</text>`,
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
