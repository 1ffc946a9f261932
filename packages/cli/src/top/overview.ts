import type { InspectorState, Sample } from '@ng-ssr/core';
import { toBytesText, toCountText, toTimeText } from '../terminal/amounts.ts';
import { cut, fit, fitEnd } from '../terminal/cells.ts';
import type { Colors } from '../terminal/colors.ts';
import { bar, seriesOf, sparkline } from './sparkline.ts';

type Color = (text: string) => string;

interface Line {
  readonly label: string;
  readonly value: string;
  /** Of one second. */
  readonly of: (sample: Sample) => number;
  /** The value of a full cell. */
  readonly top?: number;
  readonly color: Color;
  /** Shown where there is room. */
  readonly more: string;
}

/** From here on the text after the sparkline has room. */
const WIDE_COLUMNS = 72;
const LABEL_CELLS = 9;
const VALUE_CELLS = 9;
const MORE_CELLS = 26;

/** A line for each of what is counted in a second, with its last minutes. */
export function overview(state: InspectorState, columns: number, colors: Colors): string[] {
  const moreCells = columns >= WIDE_COLUMNS ? MORE_CELLS : 0;
  const cells = Math.max(4, columns - LABEL_CELLS - VALUE_CELLS - moreCells - 2);
  return linesOf(state, colors).map(({ label, value, of, top, color, more }) => {
    const series = sparkline(seriesOf(state.history, state.timeMs, cells, of), top);
    const start = fit(label, LABEL_CELLS) + fitEnd(value, VALUE_CELLS);
    const end = moreCells === 0 ? '' : ` ${colors.dim(cut(more, moreCells - 1))}`;
    return `${start} ${color(series)}${end}`;
  });
}

function linesOf(state: InspectorState, colors: Colors): readonly Line[] {
  const { history, requests, renders, shed, memory } = state;
  const { green, yellow, blue, red } = colors;
  const last = history.at(-1);
  const perSecond = (of: (sample: Sample) => number): string =>
    `${toCountText(last === undefined ? 0 : of(last))}/s`;
  const line = (label: string, of: Line['of'], color: Color, more: string): Line => ({
    label,
    value: perSecond(of),
    of,
    color,
    more,
  });
  const meanMs = last === undefined || last.renders === 0 ? 0 : last.renderMs / last.renders;
  const shedOf = (sample: Sample): number =>
    sample.shed.stale + sample.shed.csr + sample.shed.unavailable;
  return [
    line('hits', (each) => each.requests.hit, green, `${toCountText(requests.hit)} in all`),
    line('stale', (each) => each.requests.stale, blue, `${toCountText(requests.stale)} in all`),
    line('misses', (each) => each.requests.miss, yellow, `${toCountText(requests.miss)} in all`),
    line(
      'renders',
      (each) => each.renders,
      yellow,
      `${toTimeText(meanMs)} each, ${toCountText(renders.failed)} failed`,
    ),
    {
      label: 'queue',
      value: toCountText(renders.queued),
      of: (each) => each.queued,
      top: renders.maxQueued,
      color: renders.queued > 0 ? yellow : blue,
      more: `of ${toCountText(renders.maxQueued)}, ${renders.inFlight.length} of ${renders.concurrency} run`,
    },
    line(
      'fallback',
      shedOf,
      red,
      `csr ${toCountText(shed.csr)}, 503 ${toCountText(shed.unavailable)}`,
    ),
    {
      label: 'CPU',
      value: `${Math.round((last?.cpuMs ?? 0) / 10)} %`,
      of: (each) => each.cpuMs,
      top: 1000,
      color: blue,
      more: 'of one core',
    },
    {
      label: 'memory',
      value: toBytesText(memory.rssBytes),
      of: (each) => each.rssBytes,
      top: memory.limitBytes,
      color: isNearLimit(state) ? red : blue,
      more: `of ${toBytesText(memory.limitBytes)}, heap ${toBytesText(memory.heapUsedBytes)}`,
    },
  ];
}

function isNearLimit({ memory }: InspectorState): boolean {
  return memory.rssBytes > 0.9 * memory.limitBytes;
}

/** What is kept, and by how many threads. */
export function totals(state: InspectorState, columns: number, { dim }: Colors): string[] {
  const { pages, calls, threads } = state;
  const part = pages.maxBytes === 0 ? 0 : pages.bytes / pages.maxBytes;
  const stored =
    `${fit('pages', LABEL_CELLS)}${fitEnd(toCountText(pages.count), VALUE_CELLS)} ` +
    `${columns < 50 ? '' : `${bar(part, 8)} `}${toBytesText(pages.bytes)} of ${toBytesText(pages.maxBytes)}`;
  const saved = calls.count === 0 ? 0 : Math.round((calls.saved / calls.count) * 100);
  const called =
    `${fit('calls', LABEL_CELLS)}${fitEnd(toCountText(calls.count), VALUE_CELLS)} ` +
    `${saved} % saved, ${toCountText(calls.failed)} failed, ${toBytesText(calls.storedBytes)} stored`;
  const kinds = (['render', 'server'] as const)
    .map((kind) => threads.filter((each) => each.kind === kind))
    .filter((of) => of.length > 0)
    .map((of) => {
      const ready = of.filter(({ state: now }) => now === 'ready').length;
      return `${ready} of ${of.length} ${of[0]!.kind} threads ready`;
    });
  const ofThreads = kinds.length === 0 ? 'only the main thread' : kinds.join(', ');
  const threaded = `${fit('threads', LABEL_CELLS)} ${dim(ofThreads)}`;
  return [stored, called, threaded].map((line) => cut(line, columns));
}
