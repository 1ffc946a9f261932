import type { Colors } from '../terminal/colors.ts';
import { shownJson } from '../terminal/shown-text.ts';
import type { Diagnosis } from './diagnose.ts';
import { sectionOf } from './documentation.ts';
import type { Finding, Severity } from './finding.ts';

/** The report for people. */
export function toReport({ outputPath, findings }: Diagnosis, colors: Colors): string {
  const parts = findings.map((finding) => toText(finding, colors));
  return [`ng-ssr doctor: ${outputPath}\n`, ...parts, `${summaryOf(findings)}\n`].join('\n');
}

function toText({ id, severity, found, why, fix }: Finding, colors: Colors): string {
  const color = { error: colors.red, warning: colors.yellow, note: colors.blue }[severity];
  return [
    `${color(severity.padEnd(8))} ${colors.bold(id)}`,
    `  found  ${indented(found)}`,
    `  why    ${indented(why)}`,
    `  fix    ${indented(fix)}`,
    `  see    ${sectionOf(id)}`,
    '',
  ].join('\n');
}

/** The names of files and the errors of programs are in it: no line of them looks like one of the report. */
function indented(text: string): string {
  return text.replace(/\r?\n/g, `\n${' '.repeat(9)}`);
}

function summaryOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing found.';
  const severities: readonly Severity[] = ['error', 'warning', 'note'];
  return severities
    .map((severity) => count(findings, severity))
    .join(', ')
    .concat('.');
}

function count(findings: readonly Finding[], severity: Severity): string {
  const number = findings.filter((finding) => finding.severity === severity).length;
  return `${number} ${severity}${number === 1 ? '' : 's'}`;
}

/** The report for programs: one JSON object. */
export function toJson({ outputPath, findings }: Diagnosis): string {
  const linked = findings.map((finding) => ({ ...finding, see: sectionOf(finding.id) }));
  return `${shownJson({ outputPath, findings: linked })}\n`;
}
