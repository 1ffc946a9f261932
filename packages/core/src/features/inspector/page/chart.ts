import { element, setText, svg } from './dom.ts';

/** One line of a chart. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const SECONDS = 300;
const HEIGHT = 60;

/** A chart of the last five minutes: a line for each series, and a legend with its latest value. */
export class Chart {
  readonly #figure: HTMLElement;
  readonly #format: (value: number) => string;
  readonly #most = element('span', { class: 'most' });
  readonly #lines = new Map<string, SVGElement>();
  readonly #values = new Map<string, HTMLElement>();
  readonly #picture: SVGElement;

  /** @param figure - A figure of the shell, with its caption. */
  constructor(figure: HTMLElement, names: readonly string[], format: (value: number) => string) {
    this.#figure = figure;
    this.#format = format;
    const legend = element('ul', { class: 'legend' });
    const lines = names.map((name, at) => {
      const line = svg('polyline', { class: `line line-${at}` });
      this.#lines.set(name, line);
      const value = element('b');
      this.#values.set(name, value);
      const swatch = svg(
        'svg',
        { class: 'swatch', viewBox: '0 0 16 4', 'aria-hidden': 'true' },
        svg('polyline', { class: `line line-${at}`, points: '0,2 16,2' }),
      );
      legend.append(element('li', {}, swatch, `${name} `, value));
      return line;
    });
    this.#picture = svg(
      'svg',
      { viewBox: `0 0 ${SECONDS} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
      ...lines,
    );
    figure.append(element('div', { class: 'plot' }, this.#most, this.#picture), legend);
  }

  draw(series: readonly Series[]): void {
    const most = Math.max(0, ...series.flatMap(({ values }) => values));
    setText(this.#most, this.#format(most));
    const told: string[] = [];
    for (const { name, values } of series) {
      const last = this.#format(values.at(-1) ?? 0);
      this.#lines.get(name)?.setAttribute('points', pointsOf(values, most));
      setText(this.#values.get(name)!, last);
      told.push(`${name} ${last}`);
    }
    const caption = this.#figure.querySelector('figcaption')?.textContent ?? '';
    const label = `${caption}: now ${told.join(', ')}; at most ${this.#format(most)}`;
    this.#picture.setAttribute('aria-label', label);
  }
}

function pointsOf(values: readonly number[], most: number): string {
  const scale = most === 0 ? 0 : (HEIGHT - 2) / most;
  const first = SECONDS - values.length + 1;
  return values
    .map((value, at) => `${first + at},${(HEIGHT - 1 - value * scale).toFixed(1)}`)
    .join(' ');
}
