import type { WireRecord } from '@ng-ssr/conformance/results';
import { type StableTurn, toStableTurns } from './stable-turns.ts';
import { hasUnsteadyEncodings } from './unsteady-cases.ts';
import { withoutEncoding } from './without-encoding.ts';
import { withoutPolls } from './without-polls.ts';

/** Begins a case in a transcript. */
export const CASE = '## ';

/** A run of the conformance suite as text: what was sent and received, case by case, without what is volatile. */
export function formatTranscript({ cases, bodies }: WireRecord, nowMs: number): string {
  const parts = Object.keys(cases)
    .sort()
    .map((name) => {
      const turns = withoutPolls(toStableTurns(cases[name]!, bodies, nowMs));
      const hasEncodings = !hasUnsteadyEncodings(name);
      return [CASE + name, ...turns.flatMap((turn) => formatTurn(turn, hasEncodings))].join('\n');
    });
  return `${parts.join('\n\n')}\n`;
}

function formatTurn({ sent, received }: StableTurn, hasEncodings: boolean): readonly string[] {
  return [
    // Requests may have any byte.
    ...sent.split('\r\n').map((line) => `> ${JSON.stringify(line).slice(1, -1)}`),
    ...received
      .flatMap((response) => (hasEncodings ? response : withoutEncoding(response)))
      .map((line) => `< ${line}`),
  ];
}
