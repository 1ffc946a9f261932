import '@angular/platform-server/init';
import { createDom, type DomClasses } from '@ng-ssr/dom';
import { describe, expect, test } from 'vitest';
import { isSameDom } from '../src/fast/same-dom.ts';

const classes = globalThis as unknown as DomClasses;

describe('the DOM of renders', () => {
  test.each(['22.2.0', '22.9.0'])(
    "is the same as that of Angular's classes, with version %s",
    (version) => {
      expect(isSameDom(createDom(classes), classes, version)).toBe(true);
    },
  );

  test('is not used with a version of Angular whose code reads something else of its nodes', () => {
    const changed = class extends (classes['Document'] as { new (): object }) {};
    // Such a version resolves addresses in another way.
    Object.defineProperty(changed.prototype, '_resolve', { value: () => 'elsewhere' });
    const dom = createDom({ ...publishedClasses(), Document: changed });
    expect(isSameDom(dom, classes, '22.2.0')).toBe(true);
    expect(isSameDom(dom, classes, '22.9.0')).toBe(false);
  });
});

/** Angular's classes without what else is on `globalThis`. */
function publishedClasses(): Record<string, unknown> {
  const names = Object.getOwnPropertyNames(classes).filter((name) =>
    /^(HTML|SVG|[A-Z]\w+$)/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, classes[name]]));
}
