import type { Random } from '../../../conformance/src/fuzz/random.ts';
import { Comparison, errorText, rootsOf } from './comparison.ts';
import { randomOperation } from './generation.ts';
import { isPossible, type Operation, perform, type Slots, toCode } from './operation.ts';

/** Makes a new document of the same page in a DOM. */
export type NewDocument = (html: string) => Document;

export interface Sequence {
  readonly page: string;
  readonly operations: readonly Operation[];
}

/** Where two DOMs do not do the same. */
export interface Difference {
  readonly sequence: Sequence;
  readonly text: string;
}

/** Both DOMs in step. */
class Pair {
  readonly expected: Slots = new Map();
  readonly actual: Slots = new Map();
  /** A member that the second DOM does not have, and says so. */
  unsupported: string | undefined;
  readonly #comparison = new Comparison();

  constructor(page: string, reference: NewDocument, candidate: NewDocument) {
    this.expected.set(0, reference(page));
    this.actual.set(0, candidate(page));
  }

  /** Does the operation in both. */
  step(operation: Operation): string | undefined {
    refreshIndexes(this.expected);
    const expected = perform(operation, this.expected);
    const actual = perform(operation, this.actual);
    if ('error' in actual && (actual.error as Error).name === 'DomUnsupportedError') {
      this.unsupported = (actual.error as Error).message;
      return undefined;
    }
    return this.#comparison.ofOutcomes(expected, actual);
  }

  /** Compares all that can be reached from nodes without a parent. */
  compareTrees(): string | undefined {
    for (const [expected, actual] of rootsOf(this.expected, this.actual)) {
      const wanted = serialize(expected);
      const got = serialize(actual);
      if (wanted !== got) return `wanted ${wanted}\ngot    ${got}`;
      const difference = this.#comparison.ofTrees(expected, actual);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
}

interface WithIndex {
  readonly _childNodes?: readonly { _index: number }[] | null;
}

/**
 * Angular's nodes remember their index in `childNodes`, and the one of a first child may be of an earlier time: a
 * fragment inserted before it then lands elsewhere. No application can rely on that, so each step begins with right ones.
 */
function refreshIndexes(slots: Slots): void {
  for (const value of slots.values()) {
    for (let at = value as Node | null | undefined; at; at = at.parentNode) {
      const kids = (at as WithIndex)._childNodes;
      if (!Array.isArray(kids)) continue;
      for (let index = 0; index < kids.length; index++) kids[index]!._index = index;
    }
  }
}

function serialize(root: Node): string {
  try {
    return root.nodeType === 9 || root.nodeType === 11
      ? (root as Element).innerHTML
      : (root as Element).outerHTML;
  } catch (error) {
    return errorText(error);
  }
}

/** Runs random operations in both DOMs until they differ, or lack something. */
export function explore(
  random: Random,
  page: string,
  length: number,
  reference: NewDocument,
  candidate: NewDocument,
): { readonly difference: Difference | undefined; readonly unsupported: string | undefined } {
  const operations: Operation[] = [];
  const pair = new Pair(page, reference, candidate);
  let text: string | undefined;
  while (operations.length < length && text === undefined && pair.unsupported === undefined) {
    const operation = randomOperation(random, operations.length + 1, pair.expected);
    operations.push(operation);
    text = pair.step(operation);
  }
  if (pair.unsupported === undefined) text ??= pair.compareTrees();
  const difference = text === undefined ? undefined : { sequence: { page, operations }, text };
  return { difference, unsupported: pair.unsupported };
}

/** Runs a sequence again: how both DOMs differ. */
function replay(
  { page, operations }: Sequence,
  reference: NewDocument,
  candidate: NewDocument,
): string | undefined {
  const pair = new Pair(page, reference, candidate);
  for (const operation of operations) {
    if (!isPossible(operation, pair.expected) || !isPossible(operation, pair.actual)) continue;
    const difference = pair.step(operation);
    if (difference !== undefined) return difference;
    if (pair.unsupported !== undefined) return undefined;
  }
  return pair.compareTrees();
}

/** Leaves out operations as long as the DOMs still differ. */
export function shrink(
  { sequence, text }: Difference,
  reference: NewDocument,
  candidate: NewDocument,
): Difference {
  let { operations } = sequence;
  let shortest = text;
  for (let size = operations.length >> 1; size > 0; size >>= 1) {
    for (let at = operations.length - size; at >= 0; at -= size) {
      const fewer = operations.filter((_, index) => index < at || index >= at + size);
      const difference = replay({ page: sequence.page, operations: fewer }, reference, candidate);
      if (difference === undefined) continue;
      operations = fewer;
      shortest = difference;
    }
  }
  return { sequence: { page: sequence.page, operations }, text: shortest };
}

/** A difference as code to repeat it. */
export function describeDifference({ sequence, text }: Difference): string {
  const { page, operations } = sequence;
  const lines = operations.map((operation) => `  ${toCode(operation)}`);
  return [`document = newDocument(${JSON.stringify(page)});`, ...lines, text].join('\n');
}
