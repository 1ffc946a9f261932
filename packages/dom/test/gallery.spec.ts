import { createDom, type Dom, type DomClasses, type SsrDocument } from '@ng-ssr/dom';
import { describe, expect, test } from 'vitest';
import { pages, renderGallery } from './gallery/gallery-app.ts';

let dom: Dom | undefined;
let last: SsrDocument | undefined;

function makeDocument(html: string, url: string): Document {
  // Angular's classes are global once an application has started.
  dom ??= createDom(globalThis as unknown as DomClasses);
  last = dom.createDocument(html, url);
  return last as unknown as Document;
}

describe.each(['none', 'full', 'incremental'] as const)('with hydration %s', (hydration) => {
  test.each(Object.keys(pages))('%s is the same page', async (path) => {
    const expected = await renderGallery(path, hydration, undefined);
    expect(expected).toContain('<gallery-page');
    const actual = await renderGallery(path, hydration, makeDocument);
    expect(last?.unsupported).toBeUndefined();
    expect(actual).toBe(expected);
  });
});
