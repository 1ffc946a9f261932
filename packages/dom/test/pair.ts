import { expect } from 'vitest';
import { angularDocument, ourDocument } from './both-doms.ts';

export const PAGE_URL = 'http://localhost:4000/a/b?c=d#e';

/** A document of Angular's and one of ours, of the same page. */
export interface Pair {
  readonly expected: Document;
  readonly actual: Document;
}

export function pairOf(html: string, url: string = PAGE_URL): Pair {
  return {
    expected: angularDocument(html, url) as Document,
    actual: ourDocument(html, url) as Document,
  };
}

/** What `act` returned or threw, as text. */
export function outcomeOf(act: () => unknown): string {
  try {
    return describe(act());
  } catch (error) {
    const { name, message } = error as Error;
    return `throws ${name}: ${message}`;
  }
}

/** Does the same with both documents: the outcomes and the pages afterwards must be the same. */
export function expectSame(html: string, act: (document: Document) => unknown): void {
  const { expected, actual } = pairOf(html);
  const wanted = outcomeOf(() => act(expected));
  expect(outcomeOf(() => act(actual))).toBe(wanted);
  expect(actual.documentElement.outerHTML).toBe(expected.documentElement.outerHTML);
}

export function describe(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('nodeName' in value) return `node ${String(value.nodeName)}#${(value as Element).id ?? ''}`;
  return 'object';
}
