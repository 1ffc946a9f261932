/** A number that rows of results have. */
export interface Measure {
  readonly field: 'cpuUs' | 'requestsPerSecond' | 'p99Ms' | 'value';
  /** Undefined: the work says it. */
  readonly name?: string;
  /** Undefined: the row says it. */
  readonly unit?: string;
  /** Undefined: the row's unit decides. */
  readonly isLessBetter?: boolean;
}

export const MEASURES: readonly Measure[] = [
  { field: 'cpuUs', name: 'server CPU', unit: 'µs', isLessBetter: true },
  { field: 'requestsPerSecond', name: 'requests per second', unit: '', isLessBetter: false },
  { field: 'p99Ms', name: '99th percentile', unit: 'ms', isLessBetter: true },
  { field: 'value' },
];

/** Units of numbers of which more is better. */
export const MORE_IS_BETTER: readonly string[] = [
  '% of capacity',
  'per second',
  'per CPU second',
  'answers',
];
