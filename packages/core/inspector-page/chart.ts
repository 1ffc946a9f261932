import { byId, element, setText, svg } from './dom.ts';

/** The values of one line, a second each; undefined where there is nothing to measure. */
export type Series = readonly (number | undefined)[];

/** What a chart shows, and how it writes its values. */
export interface ChartOptions {
  /** The names of the lines. */
  readonly names: readonly string[];
  readonly format: (value: number) => string;
  /** The end of the axis for the largest value; by default a round number above it. */
  readonly top?: (most: number) => number;
}

interface Line {
  readonly name: string;
  readonly line: SVGElement;
  readonly value: HTMLElement;
  readonly range: HTMLElement;
}

const SECONDS = 300;
const HEIGHT = 60;

/** A chart of the last five minutes: two axes, a line for each series, and a legend with its values. */
export class Chart {
  readonly #figure: HTMLElement;
  readonly #options: ChartOptions;
  readonly #lines: readonly Line[];
  readonly #picture: SVGElement;
  readonly #labels = [element('span'), element('span'), element('span')] as const;
  readonly #from = element('span');
  readonly #to = element('span');

  /** @param name - Of a figure in the shell, with its caption. */
  constructor(name: string, options: ChartOptions) {
    this.#figure = byId(`chart-${name}`);
    this.#options = options;
    this.#lines = options.names.map((each, at) => ({
      name: each,
      line: svg('polyline', { class: `line line-${at}` }),
      value: element('b'),
      range: element('span', { class: 'range' }),
    }));
    const middle = svg('path', { class: 'middle', d: `M0,${HEIGHT / 2}H${SECONDS}` });
    this.#picture = svg(
      'svg',
      { viewBox: `0 0 ${SECONDS} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
      middle,
      ...this.#lines.map(({ line }) => line),
    );
    const side = element('div', { class: 'side', 'aria-hidden': 'true' }, ...this.#labels);
    const time = element('div', { class: 'time', 'aria-hidden': 'true' }, this.#from, this.#to);
    const legend = element('ul', { class: 'legend' }, ...this.#lines.map(toItem));
    const plot = element('div', { class: 'plot' }, side, this.#picture, time);
    this.#figure.append(plot, legend);
  }

  /**
   * @param series - One for each name, the oldest value first.
   * @param timeMs - Of the last value.
   */
  draw(series: readonly Series[], timeMs: number): void {
    const { format, top = roundUp } = this.#options;
    const end = top(Math.max(0, ...series.flatMap(known)));
    [end, end / 2, 0].forEach((value, at) => setText(this.#labels[at]!, format(value)));
    const from = new Date(timeMs - SECONDS * 1000).toLocaleTimeString();
    setText(this.#from, `${from} (5 min ago)`);
    setText(this.#to, new Date(timeMs).toLocaleTimeString());
    const told = this.#lines.map(({ name, line, value, range }, at) => {
      const values = series[at]!;
      const measured = known(values);
      const last = measured.length === 0 ? '–' : format(measured.at(-1)!);
      line.setAttribute('points', pointsOf(values, end));
      setText(value, last);
      const least = format(Math.min(...measured));
      const most = format(Math.max(...measured));
      setText(range, measured.length === 0 ? '' : ` (${least} to ${most})`);
      return `${name} ${last}`;
    });
    const caption = this.#figure.querySelector('figcaption')?.textContent ?? '';
    const label = `${caption}: now ${told.join(', ')}; the axis ends at ${format(end)}`;
    this.#picture.setAttribute('aria-label', label);
  }
}

function toItem({ name, value, range }: Line, at: number): HTMLElement {
  const swatch = svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 16 4', 'aria-hidden': 'true' },
    svg('polyline', { class: `line line-${at}`, points: '0,2 16,2' }),
  );
  return element('li', {}, swatch, `${name} `, value, range);
}

function known(values: Series): readonly number[] {
  return values.filter((value) => value !== undefined);
}

/** The next of 1, 2, 4, 6, 8, 10, 20 and so on: half of each is short to write, too. */
export function roundUp(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].find((step) => step * power >= most)! * power;
}

function pointsOf(values: Series, end: number): string {
  const first = SECONDS - values.length + 1;
  const points = values.flatMap((value, at) =>
    value === undefined
      ? []
      : [`${first + at},${(HEIGHT - 1 - (value * (HEIGHT - 2)) / end).toFixed(1)}`],
  );
  // A line of one point is drawn if it ends where it begins.
  return [...points, ...points.slice(-1)].join(' ');
}
