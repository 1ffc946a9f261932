import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Of a test, as the suite's own pages show it. */
export type Verdict = keyof ResultTypes;

/** The outcomes of one cache, by test: `true`, or the kind of the failure and a message. */
export type Results = Readonly<Record<string, true | readonly [kind: string, message: string]>>;

/** How binding a test is: `required` by RFC 9111, `optimal` for the use of a cache, `check` of a behaviour. */
export type Kind = 'required' | 'optimal' | 'check';

export interface CacheTest {
  readonly id: string;
  readonly name: string;
  readonly kind?: Kind;
  readonly browser_only?: boolean;
}

interface ResultTypes {
  readonly pass: unknown;
  readonly fail: unknown;
  readonly optional_fail: unknown;
  readonly yes: unknown;
  readonly no: unknown;
  readonly setup_fail: unknown;
  readonly harness_fail: unknown;
  readonly dependency_fail: unknown;
  readonly retry: unknown;
  readonly untested: unknown;
}

interface Group {
  readonly tests: readonly CacheTest[];
}

/** A checkout of https://github.com/http-tests/cache-tests. */
export class Suite {
  /** Without those for browsers. */
  readonly tests: readonly CacheTest[];
  readonly #groups: readonly Group[];
  readonly #resultTypes: ResultTypes;
  readonly #determine: (groups: readonly Group[], id: string, results: Results) => unknown;
  readonly #folder: string;

  private constructor(folder: string, groups: readonly Group[], lib: ResultsModule) {
    this.#folder = folder;
    this.#groups = groups;
    this.#resultTypes = lib.resultTypes;
    this.#determine = lib.determineTestResult;
    this.tests = groups.flatMap(({ tests }) => tests).filter((test) => test.browser_only !== true);
  }

  static async load(folder: string): Promise<Suite> {
    const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href);
    const { default: groups } = (await load('tests/index.mjs')) as { default: readonly Group[] };
    return new Suite(folder, groups, (await load('test-engine/lib/results.mjs')) as ResultsModule);
  }

  /** As the suite decides: a failed test on which another depends makes that one a `dependency_fail`. */
  verdict({ id }: CacheTest, results: Results): Verdict {
    const type = this.#determine(this.#groups, id, results);
    const found = Object.entries(this.#resultTypes).find(([, each]) => each === type);
    return found![0] as Verdict;
  }

  /** The results that the checkout has of other caches, by name. */
  others(): ReadonlyMap<string, Results> {
    const folder = join(this.#folder, 'results');
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    return new Map(
      files.map((file) => [
        file.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(folder, file), 'utf8')) as Results,
      ]),
    );
  }
}

interface ResultsModule {
  readonly resultTypes: ResultTypes;
  determineTestResult(groups: readonly Group[], id: string, results: Results): unknown;
}
