import { toTimeText } from '../terminal/amounts.ts';
import { cellsOf, cut, fit } from '../terminal/cells.ts';
import type { Colors } from '../terminal/colors.ts';
import { shownText } from '../terminal/shown-text.ts';
import { wrapped } from '../terminal/wrapped.ts';
import { overview, totals } from './overview.ts';
import { rendersTable, routesTable } from './tables.ts';
import type { Size, View } from './view.ts';

const HELP = [
  'q         quits',
  's         sorts the routes by another column',
  'p, space  pauses, continues',
  '?, h      shows this, hides it',
  '',
  'hits      pages and files sent from memory',
  'stale     stale pages sent from memory while rendered again',
  'misses    requests that waited for a render',
  'fallback  no page in time: an older page, the CSR page or 503 was sent',
  'Lines show the last five minutes, the newest at the right.',
];

/** The lines of a picture: at most as many, and as wide, as the terminal. */
export function toFrame(view: View, { columns, rows }: Size, colors: Colors): string[] {
  const { state, sort, hasHelp } = view;
  const top = [...header(view, columns, colors), ''];
  const numbers = [...overview(state, columns, colors), ...totals(state, columns, colors)];
  const end = footer(view, columns, colors);
  const body = hasHelp ? HELP.flatMap((line) => wrapped(line, columns)) : numbers;
  const left = rows - top.length - body.length - 1;
  // Two headings, and the empty lines before them.
  const forRenders = Math.min(
    Math.max(1, state.renders.inFlight.length) + 1,
    Math.max(2, Math.floor(left / 3)),
  );
  const forRoutes = left - forRenders - 3;
  const tables = hasHelp
    ? []
    : [
        ...section(routesTable(state, sort, columns, Math.min(forRoutes, 12), colors)),
        ...section(rendersTable(state, columns, forRoutes < 2 ? left - 1 : forRenders, colors)),
      ];
  const lines = [...top, ...body, ...tables].slice(0, Math.max(0, rows - 1));
  return [...lines, end].map((line) => cut(line, columns));
}

function section(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

/** The most important parts first: those for which there is no room are left out. */
function header({ server, state, trouble }: View, columns: number, colors: Colors): string[] {
  const { pid, buildId, versions, startedAtMs, timeMs } = state;
  const parts = [
    `up ${toTimeText(timeMs - startedAtMs)}`,
    `pid ${pid}`,
    `build ${shownText(buildId).slice(0, 12)}`,
    `ng-ssr ${shownText(versions.ngSsr)}`,
    `Node ${shownText(versions.node)}`,
  ];
  let line = cut(shownText(server), columns);
  for (const part of parts) {
    if (cellsOf(`${line}  ${part}`) <= columns) line += `  ${part}`;
  }
  const first = colors.bold(fit(line, columns));
  if (trouble === undefined) return [first];
  return [first, ...wrapped(shownText(trouble), columns).map((each) => colors.red(each))];
}

function footer({ sort, isPaused }: View, columns: number, colors: Colors): string {
  const keys = `q quit  s sort: ${sort}  p ${isPaused ? 'continue' : 'pause'}  ? help`;
  const paused = isPaused ? colors.yellow('PAUSED  ') : '';
  return paused + colors.dim(cut(keys, columns - cellsOf(paused)));
}
