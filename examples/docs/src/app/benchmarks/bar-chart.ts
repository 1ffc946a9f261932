import { Component, computed, input } from '@angular/core';
import type { Bar, Chart } from './chart';
import { show } from './show';

const ROW = 40;
/** A bar may be this many times the longest of ng-ssr and the limits; longer ones are cut off. */
const LONGEST = 6;

/** A bar as it is drawn: its lengths are in percent of the chart. */
interface Drawn extends Bar {
  readonly y: number;
  readonly length: number;
  readonly low: number;
  readonly high: number;
  readonly isCut: boolean;
  readonly label: string;
}

/** Bars of one chart, and the same numbers as a table. */
@Component({
  selector: 'app-bar-chart',
  template: `
    <figure class="chart">
      <figcaption>
        <strong>{{ heading() }}</strong>
        {{ chart().unit ? chart().unit + ', ' : '' }}{{ chart().isLessBetter ? 'less' : 'more' }} is
        better; the lines are the spread of the rounds.
        <span class="key ours">ng-ssr</span>
        <span class="key peer">others</span>
        <span class="key limit">the least or the most that a bare runtime can do</span>
      </figcaption>
      <svg
        role="img"
        [attr.aria-label]="heading() + ': ' + summary()"
        [attr.height]="height()"
        width="100%"
      >
        @for (bar of bars(); track bar.name) {
          <text [attr.y]="bar.y + 14" x="0">{{ bar.name }}</text>
          <text [attr.y]="bar.y + 14" x="100%" text-anchor="end" class="value">
            {{ bar.label }}
          </text>
          <rect
            [attr.y]="bar.y + 20"
            x="0"
            height="10"
            rx="2"
            [attr.width]="bar.length + '%'"
            [attr.class]="bar.kind"
          />
          @if (!bar.isCut && bar.high > bar.low) {
            <line
              class="spread"
              [attr.x1]="bar.low + '%'"
              [attr.x2]="bar.high + '%'"
              [attr.y1]="bar.y + 25"
              [attr.y2]="bar.y + 25"
            />
          }
        }
      </svg>
      <details>
        <summary>The numbers as a table</summary>
        <div class="table" role="group" [attr.aria-label]="heading()" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Server</th>
                <th scope="col">Median{{ chart().unit ? ', ' + chart().unit : '' }}</th>
                <th scope="col">Least</th>
                <th scope="col">Most</th>
              </tr>
            </thead>
            <tbody>
              @for (bar of bars(); track bar.name) {
                <tr>
                  <th scope="row">{{ bar.name }}</th>
                  <td>{{ toText(bar.median) }}</td>
                  <td>{{ toText(bar.min) }}</td>
                  <td>{{ toText(bar.max) }}</td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      </details>
      @if (note()) {
        <p class="note">{{ note() }}</p>
      }
    </figure>
  `,
})
export class BarChart {
  readonly chart = input.required<Chart>();
  readonly heading = input.required<string>();
  readonly note = input('');
  protected readonly toText = show;
  protected readonly bars = computed(() => draw(this.chart().bars));
  protected readonly height = computed(() => this.bars().length * ROW);
  protected readonly summary = computed(() => {
    const [first] = this.chart().bars;
    return `${this.bars().length} bars; best: ${first!.name} with ${show(first!.median)} ${this.chart().unit}`;
  });
}

function draw(bars: readonly Bar[]): readonly Drawn[] {
  const own = bars.filter(({ kind }) => kind !== 'peer').map(({ max }) => max);
  const most = Math.max(...bars.map(({ max }) => max));
  const end = own.length === 0 ? most : Math.min(most, Math.max(...own) * LONGEST);
  const toPercent = (value: number): number => Math.min(100, (100 * value) / end);
  return bars.map((bar, at) => ({
    ...bar,
    y: at * ROW,
    length: toPercent(bar.median),
    low: toPercent(bar.min),
    high: toPercent(bar.max),
    isCut: bar.median > end,
    label: bar.median > end ? `${show(bar.median)} (cut off)` : show(bar.median),
  }));
}
