import type { Scenario } from '../scenarios/scenario.ts';
import type { Chart } from './draw-chart.ts';
import type { Outcome } from './goals.ts';
import type { Results } from './results.ts';
import { toTable } from './table.ts';

const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--faint:#656d76;--line:#d8dee4;--page:#fff;--met:#1a7f37;--missed:#b42318}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--faint:#9198a1;--line:#30363d;--page:#0d1117;--met:#3fb950;--missed:#ff7b72}}
body{margin:0 auto;max-width:1080px;padding:2rem 1.25rem 4rem;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.7rem;margin:0 0 .25rem}h2{font-size:1.2rem;margin:3rem 0 .25rem}
p{margin:.25rem 0 1rem;color:var(--faint)}figure{margin:1rem 0;overflow-x:auto}svg{max-width:100%;height:auto}
div{overflow-x:auto}table{border-collapse:collapse;font-size:13px;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top;font-variant-numeric:tabular-nums}
th{white-space:nowrap;color:var(--faint);font-weight:600}td{white-space:nowrap}td:last-child{white-space:normal;min-width:14rem}
summary{cursor:pointer;color:var(--faint)}.met{color:var(--met)}.missed{color:var(--missed);font-weight:600}
`;

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function table(cells: readonly (readonly string[])[], markLast = false): string {
  const [head = [], ...body] = cells;
  const row = (tag: string, of: readonly string[]): string =>
    `<tr>${of
      .map((cell, at) => {
        const mark = markLast && tag === 'td' && at === of.length - 1 ? ` class="${cell}"` : '';
        return `<${tag}${mark}>${escape(cell)}</${tag}>`;
      })
      .join('')}</tr>`;
  const rows = body.map((of) => row('td', of)).join('');
  return `<div><table><thead>${row('th', head)}</thead><tbody>${rows}</tbody></table></div>`;
}

/** The report: one file, without scripts, that needs nothing else. */
export function toHtml(
  run: Results,
  scenarios: readonly Scenario[],
  charts: readonly Chart[],
  outcomes: readonly Outcome[],
): string {
  const { machine, versions } = run;
  const goals = [
    ['goal', 'measured', 'bound', 'verdict'],
    ...outcomes.map(({ name, measured, bound, verdict }) => [
      name,
      measured?.toFixed(3) ?? '-',
      bound,
      verdict,
    ]),
  ];
  const parts = scenarios.map(({ name, title }) => {
    const rows = run.rows.filter(({ scenario }) => scenario === name);
    if (rows.length === 0) return '';
    const figures = charts
      .filter(({ scenario }) => scenario === name)
      .map(({ svg }) => `<figure>${svg}</figure>`)
      .join('');
    const again = run.again?.find(({ scenario }) => scenario === name);
    const when =
      again === undefined
        ? ''
        : `; measured again, ${again.date.slice(0, 10)}, commit ${again.commit}, ${again.rounds} rounds`;
    return (
      `<h2 id="${name}">${name}</h2><p>${escape(title + when)}</p>${figures}` +
      `<details${figures === '' ? ' open' : ''}><summary>all numbers</summary>` +
      `${table(toTable(rows))}</details>`
    );
  });
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    `<title>ng-ssr benchmark, ${machine.name}</title><style>${STYLE}</style></head><body>` +
    `<h1>ng-ssr benchmark</h1><p>${escape(machine.cpu)}, ${machine.cores} cores, ` +
    `${machine.memoryGiB} GiB, ${escape(machine.system)}; ${escape(machine.separation)}.<br>` +
    `${run.date.slice(0, 10)}, commit ${run.commit}; ${run.rounds} rounds of ` +
    `${run.secondsPerRound} s each, interleaved and shuffled, medians with least and most` +
    `${run.isQuick ? '; a quick run' : ''}.<br>${escape(named.join(', '))}</p>` +
    `<h2>Goals</h2>${table(goals, true)}${parts.join('')}</body></html>\n`
  );
}
