import { expect, test } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { describe as text, outcomeOf, pairOf } from './pair.ts';

const HTML =
  '<div id=a>1<!--2--><p id=b>3<b id=c>4</b></p><ul id=d><li id=e>5<li id=f><i id=g>6</i></ul></div><hr id=h>';

const WALKER = [
  ...['parentNode', 'firstChild', 'lastChild', 'previousSibling', 'nextSibling', 'previousNode'],
  'nextNode',
];
const ITERATOR = ['nextNode', 'previousNode', 'nextNode', 'nextNode'];
const FILTERS = ['none', 'reject p', 'skip p', 'object', 'true', 'throws'] as const;

test.each(['createTreeWalker', 'createNodeIterator'] as const)(
  '%s walks as in Angular',
  (method) => {
    const { requests: rounds, seed } = fuzzOptions(150);
    console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${rounds}`);
    const random = new Random(seed);
    for (let round = 0; round < rounds; round++) {
      const plan = {
        method,
        root: random.pick(['', 'a', 'd', 'g']),
        show: random.pick([undefined, -1, 0xffffffff, 1, 4, 5, 128, 0]),
        filter: random.pick(FILTERS),
        steps: Array.from({ length: 25 }, () => [random.below(100), random.below(100)] as const),
      };
      const { expected, actual } = pairOf(HTML);
      const wanted = walk(expected, plan);
      expect(walk(actual, plan), JSON.stringify(plan)).toEqual(wanted);
    }
  },
);

interface Plan {
  readonly method: 'createTreeWalker' | 'createNodeIterator';
  readonly root: string;
  readonly show: number | undefined;
  readonly filter: (typeof FILTERS)[number];
  readonly steps: readonly (readonly [number, number])[];
}

function walk(document: Document, { method, root, show, filter, steps }: Plan): string[] {
  const start = root === '' ? document : document.getElementById(root)!;
  const walker = document[method](start, show, filterOf(filter)) as unknown as Record<
    string,
    unknown
  >;
  const moves = method === 'createTreeWalker' ? WALKER : ITERATOR;
  return steps.map(([kind, which]) => {
    // Now and then the tree changes under the walker.
    if (kind < 12) {
      const ids = ['b', 'c', 'd', 'e', 'f', 'g'];
      const node = document.getElementById(ids[which % ids.length]!);
      node?.remove();
      if (kind < 4 && node) document.body.appendChild(node);
      return 'change';
    }
    const move = moves[kind % moves.length]!;
    const result = outcomeOf(() => (walker[move] as () => unknown).call(walker));
    return `${move} ${result} at ${text(walker['currentNode'] ?? walker['referenceNode'])}`;
  });
}

function filterOf(kind: Plan['filter']): NodeFilter | null {
  const decide = (answer: number) => (node: Node) => (node.nodeName === 'P' ? answer : 1);
  switch (kind) {
    case 'none':
      return null;
    case 'reject p':
      return decide(2);
    case 'skip p':
      return decide(3);
    case 'object':
      return { acceptNode: decide(3) };
    case 'true':
      return ((node: Node) => node.nodeName !== 'LI') as unknown as NodeFilter;
    case 'throws':
      return () => {
        throw new RangeError('filter');
      };
  }
}

test.each(['createTreeWalker', 'createNodeIterator'] as const)(
  '%s refuses other roots',
  (method) => {
    const { expected, actual } = pairOf(HTML);
    for (const root of [null, undefined, {}, 'x']) {
      const create = (document: Document) => outcomeOf(() => document[method](root as never));
      expect(create(actual)).toBe(create(expected));
    }
  },
);
