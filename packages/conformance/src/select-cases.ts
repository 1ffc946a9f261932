import type { ConformanceCase } from './conformance-case.ts';

/** The cases that a run executes, and those that it leaves to other runs. */
export interface Selection {
  readonly chosen: readonly ConformanceCase[];
  readonly left: readonly ConformanceCase[];
}

/** A run, as far as the selection depends on it. */
export interface SelectedRun {
  /** Adapter and run. */
  readonly name: string;
  /** Whether its suite is a reference. */
  readonly isReference: boolean | undefined;
  /** Whether its suite is a variant of another one. */
  readonly isVariant?: boolean | undefined;
  /** Whether the test run is a short one: see `isShort`. */
  readonly isShort: boolean;
}

/**
 * Selects the cases of a run: all of them, unless the test run is short and the suite no reference. Then all that
 * depend on the adapter, and of those that the core decides one per group, which shows that the adapter passes such
 * requests on at all. Which one depends on the run's name: the adapters together cover many, and each test run of an
 * adapter covers the same. A variant takes a quarter of the cases that depend on the adapter, in each group.
 *
 * @param cases - Those that apply to the run.
 */
export function selectCases(cases: readonly ConformanceCase[], run: SelectedRun): Selection {
  if (!run.isShort || run.isReference === true) return { chosen: cases, left: [] };
  const ofAdapter = cases.filter(({ core }) => !core);
  const chosen = new Set(run.isVariant === true ? quarterOf(ofAdapter, run.name) : ofAdapter);
  for (const [group, members] of byGroup(cases.filter(({ core }) => core))) {
    chosen.add(members[hash(`${run.name} ${group}`) % members.length]!);
  }
  return {
    chosen: cases.filter((each) => chosen.has(each)),
    left: cases.filter((each) => !chosen.has(each)),
  };
}

/** Of each group every fourth case, from one on that depends on the run's name. */
function quarterOf(cases: readonly ConformanceCase[], run: string): readonly ConformanceCase[] {
  return [...byGroup(cases)].flatMap(([group, members]) => {
    const first = hash(`${run} ${group}`) % Math.min(4, members.length);
    return members.filter((_, i) => i % 4 === first);
  });
}

/** By what their names begin with. */
function byGroup(cases: readonly ConformanceCase[]): Map<string, ConformanceCase[]> {
  const groups = new Map<string, ConformanceCase[]>();
  for (const each of cases) {
    const group = each.name.slice(0, each.name.indexOf(' › '));
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return groups;
}

/** FNV-1a, of 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193);
  return state >>> 0;
}
