import type { Random } from '@ng-ssr/conformance/fuzz';

export const SLOTS: readonly string[] = ['cart', 'name', 'prices', 'news'];

/** What the slots of one response are to do: it is the value of the client's cookie. */
export interface Plan {
  /** Of one client and one request. */
  readonly token: string;
  readonly delaysMs: readonly number[];
  /** A slot that fails, or none. */
  readonly fails: string | undefined;
  /** Of each slot, beside the token. */
  readonly characters: number;
}

/** All tokens, wherever they stand. */
export const TOKEN = /token-\d+-of-\d+\./g;

/** Around the limits of the blocks of encodings, beside short ones. */
const CHARACTERS = [0, 0, 0, 0, 0, 100, 2000, 65_400, 65_500, 131_000];

export function makePlan(client: number, request: number, random: Random): Plan {
  const longestMs = random.pick([0, 0, 10, 50, 500]);
  return {
    token: `token-${client}-of-${request}.`,
    delaysMs: SLOTS.map(() => random.below(longestMs + 1)),
    fails: random.chance(0.05) ? random.pick(SLOTS) : undefined,
    characters: random.pick(CHARACTERS),
  };
}

export function toCookie(plan: Plan): string {
  return `plan=${encodeURIComponent(JSON.stringify(plan))}`;
}

export function readPlan(cookie: string): Plan {
  return JSON.parse(decodeURIComponent(/plan=([^;]+)/.exec(cookie)![1]!)) as Plan;
}
