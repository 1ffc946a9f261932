import { createDom, type DomClasses } from '@ng-ssr/dom';
import { expect, test } from 'vitest';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { angularDom } from './fuzz/angular-dom.ts';
import { describeDifference, explore, shrink } from './fuzz/sequence.ts';
import { PAGES } from './fuzz/words.ts';

const URL = 'http://localhost/a/b?c#d';
const { requests: sequences, seed } = fuzzOptions(stress(3_000));
const LONGEST = 30;

const dom = createDom(angularDom.impl as DomClasses);
const reference = (html: string) => angularDom.createWindow(html, URL).document;
const candidate = (html: string) => dom.createDocument(html, URL) as unknown as Document;

test(
  `${sequences} random sequences of operations do what they do in Angular's DOM`,
  { timeout: 300_000 + sequences * 20 },
  () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${sequences}`);
    const random = new Random(seed);
    const unsupported = new Map<string, number>();
    const found = new Map<string, string>();
    for (let count = 0; count < sequences && found.size < 5; count++) {
      const page = random.pick(PAGES);
      const length = 2 + random.below(LONGEST);
      const explored = explore(random, page, length, reference, candidate);
      if (explored.unsupported !== undefined) {
        unsupported.set(explored.unsupported, (unsupported.get(explored.unsupported) ?? 0) + 1);
      }
      if (explored.difference === undefined) continue;
      const smallest = shrink(explored.difference, reference, candidate);
      const { operations } = smallest.sequence;
      found.set(operations.at(-1)?.path ?? '', describeDifference(smallest));
    }
    console.log('unsupported', Object.fromEntries(unsupported));
    expect([...found.values()].join('\n\n')).toBe('');
    // A DOM that lacks most members would differ in nothing.
    const given = [...unsupported.values()].reduce((sum, count) => sum + count, 0);
    expect(given).toBeLessThan(sequences / 20);
  },
);
