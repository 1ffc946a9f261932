/** What a response depends on, or a page made of several: each hop on its way is merged into it. */
export interface Provenance {
  /** A purge of one of these tags also purges the response. */
  readonly tags: readonly string[];
  /** Until when a shared cache may use it as fresh (`performance.now()`); 0 if it may not store it. */
  readonly freshUntilMs: number;
  /** Whether a call carried credentials of the request that caused the render. */
  readonly isPersonal: boolean;
  /** Whether several clients may get it: no response on its way was meant for one client alone. */
  readonly isShareable: boolean;
}

/** Depends on nothing. */
export const INDEPENDENT: Provenance = {
  tags: [],
  freshUntilMs: Number.POSITIVE_INFINITY,
  isPersonal: false,
  isShareable: true,
};

/** The provenance of a response made of several: it has all their tags, and the strictest limit of each kind. */
export function mergeProvenance(all: readonly Provenance[]): Provenance {
  if (all.length === 1) return all[0]!;
  return {
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
    freshUntilMs: Math.min(...all.map(({ freshUntilMs }) => freshUntilMs)),
    isPersonal: all.some(({ isPersonal }) => isPersonal),
    isShareable: all.every(({ isShareable }) => isShareable),
  };
}

/** For how many seconds from now it stays fresh. */
export function freshSecondsOf({ freshUntilMs }: Provenance): number {
  return Math.max(0, (freshUntilMs - performance.now()) / 1000);
}
