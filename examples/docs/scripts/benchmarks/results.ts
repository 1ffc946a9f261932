/** What charts read of a file that `npm run bench` has written (bench/src/report/results.ts). */
export interface Results {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly separation: string };
  readonly versions: Readonly<Record<string, string>>;
  readonly commit: string;
  readonly date: string;
  readonly isQuick: boolean;
  readonly rows: readonly Row[];
  /** Scenarios that were measured again by themselves. */
  readonly again?: readonly {
    readonly scenario: string;
    readonly date: string;
    readonly commit: string;
  }[];
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A server under one kind of work. */
export interface Row {
  readonly scenario: string;
  readonly work: string;
  readonly server: string;
  readonly cpuUs?: Spread;
  readonly requestsPerSecond?: Spread;
  readonly p99Ms?: Spread;
  readonly value?: Spread;
  readonly unit?: string;
  readonly x?: number;
  readonly voidBecause?: string;
}
