import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { darkStyle, LIGHT } from './palette.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif';
const WIDTH = 860;
const COLOURS = 'blue: ng-ssr, teal: its hits before middleware, amber: others, grey: the limit';

/** A drawn chart, and the name of its file. */
export interface Chart {
  readonly name: string;
  readonly scenario: string;
  readonly svg: string;
}

/** One bar of a chart. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  /** What stands behind the bar, in place of the plain number. */
  readonly label: string;
  readonly kind: 'ours' | 'early' | 'peer' | 'limit';
  /** Whether the bar is shorter than its number says. */
  readonly isCut?: boolean;
}

/** One curve of a chart: its points in the order of x. */
export interface Curve {
  readonly name: string;
  /** Curves of one family have one colour; a family's second is dashed. */
  readonly family: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

function draw(height: number, option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption({
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: FONT, color: LIGHT.text },
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg.replace(/(<svg[^>]*>)/, `$1${darkStyle()}`);
}

function title(text: string, subtext: string): object {
  return {
    text,
    subtext,
    left: 12,
    top: 8,
    itemGap: 6,
    textStyle: { fontSize: 16, fontWeight: 600, color: LIGHT.text, fontFamily: FONT },
    subtextStyle: { fontSize: 12, lineHeight: 17, color: LIGHT.faint, fontFamily: FONT },
  };
}

/** Horizontal bars, in the order given, from the top. */
export function drawBars(
  heading: string,
  subheading: string,
  bars: readonly Bar[],
  colours: string = COLOURS,
): string {
  const isCut = bars.some((bar) => bar.isCut === true);
  const isMixed = new Set(bars.map(({ kind }) => kind)).size > 1;
  const about = isMixed
    ? `${subheading}\n${colours}${isCut ? '; bars before // are cut off' : ''}`
    : subheading;
  return draw(110 + bars.length * 26, {
    title: title(heading, about),
    grid: { left: 250, right: 130, top: isMixed ? 84 : 68, bottom: 16 },
    xAxis: {
      type: 'value',
      axisLabel: { show: false },
      splitLine: { lineStyle: { color: LIGHT.grid } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: LIGHT.grid } },
      axisLabel: { color: LIGHT.text, fontSize: 12, width: 232, overflow: 'truncate' },
    },
    series: [
      {
        type: 'bar',
        barWidth: 15,
        data: bars.map(({ value, label, kind, isCut: isShort }) => ({
          value,
          itemStyle: { color: LIGHT[kind], borderRadius: [0, 3, 3, 0] },
          label: {
            show: true,
            position: 'right',
            formatter: () => (isShort === true ? `//  ${label}` : label),
            color: LIGHT.text,
            fontSize: 12,
          },
        })),
      },
    ],
  });
}

/** Curves over a logarithmic x axis that starts with 0 where the points do. */
export function drawCurves(
  heading: string,
  subheading: string,
  xName: string,
  curves: readonly Curve[],
): string {
  const places = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))];
  places.sort((a, b) => a - b);
  const colours = [LIGHT.ours, LIGHT.early, LIGHT.peer, LIGHT.limit];
  const families = [...new Set(curves.map(({ family }) => family))];
  const hasLegend = curves.length > 1;
  return draw(hasLegend ? 400 : 340, {
    title: title(heading, subheading),
    ...(hasLegend
      ? {
          legend: {
            bottom: 4,
            width: 620,
            itemGap: 28,
            itemWidth: 34,
            textStyle: { color: LIGHT.text },
          },
        }
      : {}),
    grid: { left: 64, right: 32, top: 76, bottom: hasLegend ? 112 : 52 },
    xAxis: {
      type: 'category',
      name: xName,
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: { color: LIGHT.faint },
      boundaryGap: false,
      data: places.map((x) => x.toLocaleString('en-US')),
      axisLine: { lineStyle: { color: LIGHT.grid } },
      axisLabel: { color: LIGHT.text },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      min: 0,
      axisLabel: { color: LIGHT.faint },
      splitLine: { lineStyle: { color: LIGHT.grid } },
    },
    series: curves.map(({ name, family, points }, at) => ({
      type: 'line',
      name,
      data: places.map((place) => points.find(([x]) => x === place)?.[1] ?? null),
      connectNulls: true,
      symbol: 'circle',
      symbolSize: 7,
      itemStyle: { color: colours[families.indexOf(family) % 4] },
      lineStyle: {
        color: colours[families.indexOf(family) % 4],
        width: 2,
        type: curves.findIndex((curve) => curve.family === family) < at ? 'dashed' : 'solid',
      },
    })),
  });
}
