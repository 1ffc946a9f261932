import type { Colors } from '../terminal/colors.ts';
import { shownJson, shownText } from '../terminal/shown-text.ts';
import type { ComparedRoute, CompareReport } from './compare-pages.ts';
import type { Difference, Verdict } from './judge.ts';

const KINDS: Readonly<Record<Verdict['kind'], string>> = {
  same: 'the same',
  different: 'different',
  'not-comparable': 'not comparable',
  'not-rendered': 'not rendered',
};

/** The report for people. */
export function toComparisonReport(report: CompareReport, colors: Colors): string {
  const { outputPath, routes, withParameters } = report;
  const parts = routes.map((route) => toText(route, colors)).filter((text) => text !== '');
  const kinds = Object.entries(KINDS).flatMap(([kind, name]) => {
    const count = routes.filter(({ verdict }) => verdict.kind === kind).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const summary = `${routes.length} ${routes.length === 1 ? 'page' : 'pages'}: ${kinds.join(', ')}.\n`;
  const open =
    withParameters.length === 0
      ? []
      : [
          `Routes with parameters, not compared. Pass a page of each with --url, as in --url /products/1: ` +
            `${shownText(withParameters.join(', '))}\n`,
        ];
  return [`ng-ssr doctor --compare: ${outputPath}\n`, ...parts, ...open, summary].join('\n');
}

function toText({ path, verdict, left }: ComparedRoute, colors: Colors): string {
  const lines = [...linesOf(verdict, shownText(path), colors)];
  if (left !== undefined) {
    if (lines.length === 0)
      lines.push(`${colors.blue('not fast')}  ${colors.bold(shownText(path))}`);
    lines.push(`  ${shownText(left)}`);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function linesOf(verdict: Verdict, path: string, colors: Colors): readonly string[] {
  switch (verdict.kind) {
    case 'same':
      return [];
    case 'different': {
      const { difference } = verdict;
      return [
        `${colors.red('different')}  ${colors.bold(path)}  ${whereOf(difference)}`,
        `  Angular  ${snippet(difference.angular)}`,
        `  fast     ${snippet(difference.fast)}`,
      ];
    }
    case 'not-comparable': {
      const { difference, isRestSame } = verdict;
      const rest = isRestSame ? 'the rest is the same' : 'the rest was not compared';
      return [
        `${colors.yellow('not comparable')}  ${colors.bold(path)}  ${whereOf(difference)}`,
        `  Angular's own renders differ at the same place; ${rest}.`,
        `  once     ${snippet(difference.angular)}`,
        `  again    ${snippet(difference.fast)}`,
      ];
    }
    case 'not-rendered': {
      const { reason } = verdict;
      return [
        `${colors.yellow('not rendered')}  ${colors.bold(path)}`,
        `  Fails both ways: ${shownText(reason)}`,
        // The page's own error is the better advice.
        ...(/^\d+: /.test(reason) ? [] : [ADVICE]),
      ];
    }
  }
}

const ADVICE = '  The pages use the variables of this shell. Is their API running?';

function whereOf({ of, offset, line, column }: Difference): string {
  return of === 'content' ? `line ${line}, column ${column} (character ${offset})` : of;
}

/** A part of a page in one line. */
function snippet(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/** The report for programs: one JSON object. */
export function toComparisonJson(report: CompareReport): string {
  return `${shownJson(report)}\n`;
}

/** Whether the two ways differ, or nothing could be compared. */
export function hasFailed({ routes }: CompareReport): boolean {
  const isCompared = ({ verdict }: ComparedRoute): boolean => verdict.kind !== 'not-rendered';
  return routes.some(({ verdict }) => verdict.kind === 'different') || !routes.some(isCompared);
}
