import type { HintedVisit } from '../measure/hinted-visit.ts';
import type { Row } from '../measure/row.ts';
import type { Results } from './results.ts';

const WORKS: readonly (keyof HintedVisit)[] = [
  ...(['first byte', 'first paint', 'largest paint'] as const),
  ...(['stylesheet', 'main script', 'hydrated'] as const),
];

const WITH = ', early hints';

/** The table of a run's visits with early hints and without, for bench/findings.md. */
export function toEarlyHintsTable({ rows, machine, versions, again }: Results): string {
  const own = rows.filter(({ scenario }) => scenario === 'early-hints');
  const show = (server: string, work: string): string => {
    const found = own.find((row: Row) => row.server === server && row.work === work);
    if (found?.quartiles === undefined) return '-';
    const [median, lower, upper] = ['median', 'lower', 'upper'].map((part) =>
      Math.round(found.quartiles![part as 'median']),
    );
    return `${median} (${lower}-${upper})`;
  };
  const servers = [...new Set(own.map(({ server }) => server))].filter(
    (server) => !server.endsWith(WITH),
  );
  const lines = servers.flatMap((server) =>
    [server, server + WITH].map((name) => {
      const title = name === server ? name : 'the same with early hints';
      return `| ${[title, ...WORKS.map((work) => show(name, work))].join(' | ')} |`;
    }),
  );
  const last = again?.find(({ scenario }) => scenario === 'early-hints');
  return [
    `| page | ${WORKS.join(' | ')} |`,
    `| --- ${'| ---: '.repeat(WORKS.length)}|`,
    ...lines,
    '',
    `Milliseconds from the start of the navigation, medians with quartiles of ${last?.rounds ?? '-'} shuffled rounds, on`,
    `${machine.cpu} with ${machine.cores} cores, Node ${versions['node']}, ${last?.date.slice(0, 10) ?? '-'}`,
    `(${own[0]?.note?.replace(/^\d+ rounds, /, '') ?? '-'}).`,
    `\`npm run bench -- --only early-hints --rounds ${last?.rounds ?? 11}\` measures them.`,
  ].join('\n');
}
