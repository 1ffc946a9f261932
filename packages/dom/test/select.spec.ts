import { createDom, type DomClasses } from '@ng-ssr/dom';
import { describe, expect, test } from 'vitest';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { angularDom } from './fuzz/angular-dom.ts';
import { Comparison } from './fuzz/comparison.ts';
import { perform } from './fuzz/operation.ts';
import { randomSelector, SIMPLE } from './fuzz/selector.ts';
import { PAGES } from './fuzz/words.ts';

const URL = 'http://localhost/a';
const { requests: rounds, seed } = fuzzOptions(stress(600));
const dom = createDom(angularDom.impl as DomClasses);

const LISTS = SIMPLE.flatMap((selector) => [
  `${selector},p`,
  `.a, ${selector}`,
  `body ${selector}`,
]);
const TREES = [
  ...PAGES,
  '<body><div class="a"><p class="b">1<span id="a">2</span></p><p id="b" title="">3</p></div><p lang="en-x">' +
    '<a href="/x/z" name="n" data-x="a b">4</a></p><ul><li><li class="a b"><li class="ab a">x</ul><x-y for="q"></x-y>',
];

/** Compares all ways to ask with a selector, from some nodes of a page. */
function compare(page: string, selectors: readonly string[]): void {
  const expected = angularDom.createWindow(page, URL).document;
  const actual = dom.createDocument(page, URL) as unknown as Document;
  const comparison = new Comparison();
  expect(comparison.ofTrees(expected, actual)).toBeUndefined();
  const pairs = startsOf(expected, actual);
  for (const selector of selectors) {
    for (const [wanted, got] of pairs) {
      for (const path of ['querySelectorAll', 'querySelector', 'matches', 'closest']) {
        if (!(path in wanted)) continue;
        const operation = {
          id: 1,
          kind: 'call',
          receiver: 0,
          path,
          values: [{ value: selector }],
        } as const;
        const difference = comparison.ofOutcomes(
          perform(operation, new Map([[0, wanted]])),
          perform(operation, new Map([[0, got]])),
        );
        expect(
          difference,
          `${wanted.nodeName} ${path} ${JSON.stringify(selector)}`,
        ).toBeUndefined();
      }
    }
  }
}

/** The document, an element in it, one outside of it, and a fragment: in both DOMs. */
function startsOf(expected: Document, actual: Document): readonly (readonly [Node, Node])[] {
  const starts = [expected, actual].map((document) => {
    const outside = document.body.cloneNode(true);
    const fragment = document.createDocumentFragment();
    fragment.appendChild(document.body.cloneNode(true));
    const elements = [...(document.querySelectorAll('body *') as unknown as Element[])];
    return [document, document.body, outside, fragment, ...elements.slice(0, 6)];
  });
  return starts[0]!.map((start, index) => [start, starts[1]![index]!]);
}

describe.each(TREES)('in %s', (page) => {
  test(`${SIMPLE.length + LISTS.length} selectors find what they find in Angular's DOM`, () => {
    compare(page, [...SIMPLE, ...LISTS]);
  });

  test(`${rounds} random selectors do so too`, () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${rounds}`);
    const random = new Random(seed);
    compare(
      page,
      Array.from({ length: rounds }, () => randomSelector(random)),
    );
  });
});
