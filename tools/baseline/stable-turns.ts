import type { WireRecord, WireTurn } from '@ng-ssr/conformance/results';
import { createHash } from 'node:crypto';
import { toStableHeaders } from './stable-headers.ts';
import { toStableText } from './stable-text.ts';

/** A request and its response as text that two runs of the same code have in common. */
export interface StableTurn {
  readonly sent: string;
  readonly received: readonly StableResponse[];
}

/** A response as text: its status, its headers as they were sent, and the digest of its body. */
export type StableResponse = readonly string[];

/** The inspector's state has times, memory and the process id; even the order of its lists depends on times. */
const STATE = /^[A-Z]+ \S*\/inspector\/state\b/;

/** The turns of one case. */
export function toStableTurns(
  turns: readonly WireTurn[],
  bodies: WireRecord['bodies'],
  nowMs: number,
): readonly StableTurn[] {
  const bodyOf = (turn: WireTurn, digest: string): string => {
    if (turn.sent.some((bytes) => STATE.test(bytes))) return '<state>';
    const body = bodies[digest];
    if (body === undefined) return digest;
    const text = toStableText(Buffer.from(body, 'base64').toString('latin1'), nowMs);
    return createHash('sha256').update(text, 'latin1').digest('hex');
  };
  // HEAD has no body that would show whether the tag is one of a volatile body.
  const volatile = new Set(
    turns
      .filter((turn) => turn.received.some(({ body }) => bodyOf(turn, body) !== body))
      .flatMap(targetsOf),
  );
  return turns.map((turn) => {
    const isStable = !targetsOf(turn).some((target) => volatile.has(target));
    return {
      sent: toStableText(turn.sent.join(''), nowMs),
      received: turn.received.map((response) => [
        String(response.status),
        ...toStableHeaders(response, isStable, nowMs),
        `body ${bodyOf(turn, response.body)}`,
      ]),
    };
  });
}

function targetsOf({ sent }: WireTurn): readonly string[] {
  return [...sent.join('').matchAll(/^[A-Z]+ (\S+) HTTP\/1\.[01]\r$/gm)].map(
    ([, target]) => target!,
  );
}
