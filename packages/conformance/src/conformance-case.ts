import type { CaseContext } from './case-context.ts';
import type { ProfileName } from './profiles.ts';

/** Where and how a case applies. */
export interface CaseTraits {
  /** The options of its server. Default: `standard`. */
  readonly profile?: ProfileName;
  /** Whether it needs bytes on an HTTP/1.1 wire. */
  readonly wire?: boolean;
  /** Whether it is about HTTP/2 and runs only over it. */
  readonly h2?: boolean;
  /** Whether it needs middleware on hits: it does not apply to `serveHits: 'before-middleware'`. */
  readonly afterMiddleware?: boolean;
  /**
   * False when frameworks may differ in its responses without being wrong (their own static server,
   * their own errors, the clock): then they are not recorded for the parity comparison.
   */
  readonly parity?: boolean;
  /**
   * Whether the core alone decides it, and an adapter only passes headers on. A short run repeats one of these
   * per group on each adapter, and runs them all on the reference suites. Cases without it run everywhere, so a
   * new case needs a reason to run less often. Default: false.
   */
  readonly core?: boolean;
}

/** One expected behaviour. */
export interface ConformanceCase extends CaseTraits {
  /** `file › sentence`; stable, for `expectedFailures` and the parity comparison. */
  readonly name: string;
  run(context: CaseContext): Promise<void>;
}

/** Adds a case to its file. */
export type AddCase = (
  sentence: string,
  run: (context: CaseContext) => Promise<void>,
  traits?: CaseTraits,
) => void;

/**
 * The cases of one file.
 *
 * @param subject - The first part of each name; or this as `file`, with traits of all cases. Those of a case win.
 * @param define - Adds them.
 * @throws Error when two cases have one name.
 */
export function caseFile(
  subject: string | (CaseTraits & { readonly file: string }),
  define: (add: AddCase) => void,
): readonly ConformanceCase[] {
  const { file, ...defaults } = typeof subject === 'string' ? { file: subject } : subject;
  const cases = new Map<string, ConformanceCase>();
  define((sentence, run, traits) => {
    const name = `${file} › ${sentence}`;
    if (cases.has(name)) throw new Error(`Two cases have the name ${JSON.stringify(name)}.`);
    cases.set(name, { name, run, ...defaults, ...traits });
  });
  return [...cases.values()];
}
