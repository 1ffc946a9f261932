import type { InspectorState, RouteState } from '@ng-ssr/core';
import { toCountText, toTimeText } from '../terminal/amounts.ts';
import { fit, fitEnd } from '../terminal/cells.ts';
import type { Colors } from '../terminal/colors.ts';
import { shownText } from '../terminal/shown-text.ts';
import type { Sort } from './view.ts';

const VALUES: Readonly<Record<Sort, (route: RouteState) => number>> = {
  total: ({ renders, meanMs }) => renders * meanMs,
  mean: ({ meanMs }) => meanMs,
  max: ({ maxMs }) => maxMs,
  renders: ({ renders }) => renders,
  failed: ({ failed }) => failed,
};

interface Column {
  readonly name: string;
  readonly cells: number;
  readonly sort: Sort;
  readonly of: (route: RouteState) => string;
}

/** The last ones are left out where there is no room. */
const COLUMNS: readonly Column[] = [
  { name: 'mean', cells: 8, sort: 'mean', of: ({ meanMs }) => toTimeText(meanMs) },
  { name: 'renders', cells: 9, sort: 'renders', of: ({ renders }) => toCountText(renders) },
  { name: 'max', cells: 8, sort: 'max', of: ({ maxMs }) => toTimeText(maxMs) },
  { name: 'total', cells: 9, sort: 'total', of: (route) => toTimeText(VALUES.total(route)) },
  { name: 'failed', cells: 8, sort: 'failed', of: ({ failed }) => toCountText(failed) },
];
const LEAST_ROUTE_CELLS = 16;

/** The routes whose renders cost the most, below their heading: this many lines at most. */
export function routesTable(
  { routes }: InspectorState,
  sort: Sort,
  columns: number,
  lines: number,
  { bold, dim }: Colors,
): string[] {
  if (lines < 2) return [];
  let left = columns - LEAST_ROUTE_CELLS;
  const shown = COLUMNS.filter(({ cells }) => (left -= cells) >= 0);
  const cells = columns - shown.reduce((sum, column) => sum + column.cells, 0);
  const names = shown.map((column) => {
    const name = fitEnd(column.name, column.cells);
    return column.sort === sort ? bold(name) : dim(name);
  });
  const heading = bold(fit('Slowest routes', cells)) + names.join('');
  const sorted = routes.toSorted((a, b) => VALUES[sort](b) - VALUES[sort](a));
  const rows = sorted.slice(0, lines - 1).map((route) => {
    const values = shown.map((column) => fitEnd(column.of(route), column.cells));
    return fit(shownText(route.route), cells) + values.join('');
  });
  return [heading, ...(rows.length === 0 ? [dim(fit('none yet', columns))] : rows)];
}

const TIME_CELLS = 10;

/** The renders in flight, the oldest first, below their heading: this many lines at most. */
export function rendersTable(
  { renders: { inFlight } }: InspectorState,
  columns: number,
  lines: number,
  { bold, dim, red, yellow }: Colors,
): string[] {
  if (lines < 2) return [];
  const cells = columns - 2 * TIME_CELLS;
  const heading =
    bold(fit('Renders in flight', cells)) +
    dim(fitEnd('queued', TIME_CELLS) + fitEnd('runs for', TIME_CELLS));
  const oldest = inFlight.toSorted((a, b) => b.sinceMs - a.sinceMs);
  const rows = oldest.slice(0, lines - 1).map(({ name, queuedMs, sinceMs }) => {
    const color = sinceMs > 5000 ? red : sinceMs > 1000 ? yellow : (text: string): string => text;
    const time = color(fitEnd(toTimeText(sinceMs), TIME_CELLS));
    return fit(shownText(name), cells) + fitEnd(toTimeText(queuedMs), TIME_CELLS) + time;
  });
  return [heading, ...(rows.length === 0 ? [dim(fit('none', columns))] : rows)];
}
