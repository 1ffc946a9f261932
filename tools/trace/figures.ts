import type { Step } from './recorder.ts';

export const FIGURES = ['calls', 'files', 'moves', 'returns', 'reads'] as const;

/**
 * What a reader of the code goes through to follow a journey. Only calls count: each brings the reader
 * to a function. Coming back to a caller does not count, nor does resuming after an `await`, since the
 * reader has not left the place in between. Moves are returns and the first visits of all files but one.
 */
export interface Figures {
  /** Calls of functions, accessors and callbacks included. */
  readonly calls: number;
  /** Distinct files of these functions. */
  readonly files: number;
  /** Changes of file from one call to the next. */
  readonly moves: number;
  /** Moves to a file that was left before. */
  readonly returns: number;
  /**
   * Calls of members of the adapter's exchange: how often the request is asked for its headers, its connection
   * and, under fetch, its method. The target and, on Node, the method are plain properties, which are not counted.
   */
  readonly reads: number;
}

/** Files with the exchanges of adapters. */
const EXCHANGE =
  /^(node\/adapter\/(node-exchange|socket-hits\/simple-request)|koa\/koa-exchange|fetch\/fetch-exchange)$/;
/** Not a constructor, and not a function of such a file. */
const MEMBER = /^(get )?\w+\./;

/** Figures by journey and adapter. */
export type AllFigures = Readonly<Record<string, Readonly<Record<string, Figures>>>>;

export function figuresOf(steps: readonly Step[]): Figures {
  const calls = steps.filter(({ kind }) => kind === 'call');
  const seen = new Set<string>();
  let file: string | undefined;
  let moves = 0;
  let returns = 0;
  for (const call of calls) {
    if (file !== undefined && call.file !== file) {
      moves++;
      if (seen.has(call.file)) returns++;
    }
    file = call.file;
    seen.add(file);
  }
  const reads = calls.filter(({ file, name }) => EXCHANGE.test(file) && MEMBER.test(name)).length;
  return { calls: calls.length, files: seen.size, moves, returns, reads };
}

/** The functions that are called more than once, with the number of their calls, most called first. */
export function repeatedCalls(steps: readonly Step[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { kind, file, name } of steps) {
    const call = `${file}  ${name}`;
    if (kind === 'call') counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
}
