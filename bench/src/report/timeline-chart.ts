import type { Row } from '../measure/row.ts';
import { darkStyle, LIGHT } from './palette.ts';

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif';
const WIDTH = 860;
const LEFT = 236;
const RIGHT = 32;
const TOP = 84;
const STEP = 44;
/** Between the lines of the axis, in milliseconds. */
const TICK = 500;

/** What a line of the picture shows. */
type Moment = 'first byte' | 'first paint' | 'slot visible' | 'hydrated';

/** The picture of a timeline: for each way, how long the page is not there, is there, and has the visitor's data. */
export function drawTimeline(rows: readonly Row[]): string {
  const servers = [...new Set(rows.map(({ server }) => server))];
  const find = (server: string, work: Moment): number | undefined =>
    rows.find((row) => row.server === server && row.work === work)?.value?.median;
  const moments = rows.filter(({ unit }) => unit === 'ms').map(({ value }) => value!.median);
  const endMs = Math.ceil((Math.max(...moments) + 100) / TICK) * TICK;
  const x = (ms: number): number => round(LEFT + (ms / endMs) * (WIDTH - LEFT - RIGHT));
  const bottom = TOP + servers.length * STEP;
  const ticks = Array.from({ length: endMs / TICK + 1 }, (_, at) => at * TICK);
  const parts = [
    text(12, 26, 'When a page is there, and the data of its visitor', { size: 16, weight: 600 }),
    text(
      12,
      46,
      'milliseconds on a slow connection, medians; the data takes 600 ms on the server',
      {
        fill: LIGHT.faint,
      },
    ),
    ...legend(),
    ...ticks.flatMap((ms) => [
      `<path d="M${x(ms)} ${TOP - 6}V${bottom}" stroke="${LIGHT.grid}"/>`,
      text(x(ms), bottom + 16, `${ms.toLocaleString('en-US')}`, {
        fill: LIGHT.faint,
        anchor: 'middle',
      }),
    ]),
    ...servers.flatMap((server, at) => {
      const y = TOP + at * STEP + STEP / 2 + 6;
      const [paint, slot, hydrated] = (['first paint', 'slot visible', 'hydrated'] as const).map(
        (work) => find(server, work),
      );
      const isOurs = server.startsWith('ng-ssr');
      const colour = isOurs ? LIGHT.ours : LIGHT.limit;
      const shown = [
        text(LEFT - 12, y + 4, server, { anchor: 'end', ...(isOurs ? { weight: 600 } : {}) }),
        bar(x(paint!), x(endMs), y, colour, 0.25),
        ...(slot === undefined ? [] : [bar(x(slot), x(endMs), y, colour, 1)]),
        text(x(paint!), y - 12, show(paint!), { size: 11 }),
      ];
      // Data that comes with the first paint has its number there.
      if (slot !== undefined && slot - paint! > endMs / 16) {
        shown.push(text(x(slot), y - 12, show(slot), { size: 11 }));
      }
      shown.push(
        `<circle cx="${x(hydrated!)}" cy="${y}" r="5" fill="${LIGHT.peer}" stroke="none"/>`,
      );
      return shown;
    }),
  ];
  const size = `width="${WIDTH}" height="${bottom + 28}" viewBox="0 0 ${WIDTH} ${bottom + 28}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT}">${darkStyle()}\n${parts.join('\n')}\n</svg>`;
}

function legend(): readonly string[] {
  const y = 64;
  return [
    bar(12, 40, y, LIGHT.limit, 0.25),
    text(46, y + 4, 'page visible'),
    bar(140, 168, y, LIGHT.limit, 1),
    text(174, y + 4, "with the visitor's data"),
    `<circle cx="330" cy="${y}" r="5" fill="${LIGHT.peer}"/>`,
    text(342, y + 4, 'interactive'),
  ];
}

function bar(from: number, to: number, y: number, colour: string, opacity: number): string {
  const size = `x="${from}" y="${y - 8}" width="${round(to - from)}" height="16"`;
  return `<rect ${size} fill="${colour}" fill-opacity="${opacity}"/>`;
}

interface TextStyle {
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
  readonly anchor?: 'middle' | 'end';
}

function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 12, weight = 400, fill = LIGHT.text, anchor = 'start' } = style;
  const look = `font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}" ${look}>${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function show(ms: number): string {
  return Math.round(ms).toLocaleString('en-US');
}
