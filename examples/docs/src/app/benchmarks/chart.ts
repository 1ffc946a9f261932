/** A server, or a way to serve, in a chart: the median of all rounds, and their spread. */
export interface Bar {
  readonly name: string;
  readonly kind: 'ours' | 'limit' | 'peer';
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The same work done by several servers, in one measure. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly isLessBetter: boolean;
  /** The best first. */
  readonly bars: readonly Bar[];
}

/** A chart without its bars, which are loaded when a reader chooses it. */
export type ChartHead = Omit<Chart, 'bars'>;

/** One scenario of the benchmark. */
export interface Question<C extends ChartHead = ChartHead> {
  readonly id: string;
  readonly title: string;
  /** The day of the run, `2026-11-21`, and its commit. */
  readonly date: string;
  readonly commit: string;
  readonly charts: readonly C[];
}

/** The newest results of one kind of machine. */
export interface Machine<C extends ChartHead = ChartHead> {
  readonly name: string;
  readonly description: string;
  readonly questions: readonly Question<C>[];
}
