import { createDom, type DomClasses } from '@ng-ssr/dom';
import { expect, test } from 'vitest';
import { FragmentCache, type ParsedFragment } from '../src/parse/fragment-cache.ts';
import type { TreeFragment } from '../src/shapes.ts';
import { angularDom } from './fuzz/angular-dom.ts';

const dom = createDom(angularDom.impl as DomClasses);
const document = dom.createDocument('<p>', 'http://localhost/') as unknown as Document;

function parsed(text: string): ParsedFragment {
  const nodes = document.createDocumentFragment();
  nodes.appendChild(document.createElement('p')).textContent = text;
  return { nodes: nodes as unknown as TreeFragment, hasHandlers: false };
}

test('fragments take no more memory than they may; the one unused for longest leaves', () => {
  const cache = new FragmentCache(100_000);
  const text = 'x'.repeat(2_000);
  for (let count = 0; count < 100; count++) {
    cache.set(`${count} ${text}`, parsed(text));
    expect(cache.get(`0 ${text}`)).toBeDefined();
  }
  const kept = Array.from(
    { length: 100 },
    (_, count) => cache.get(`${count} ${text}`) !== undefined,
  );
  expect(kept.filter(Boolean).length).toBeGreaterThan(8);
  expect(kept.filter(Boolean).length).toBeLessThan(13);
  expect(kept.lastIndexOf(true)).toBe(99);
});

test('a fragment that would take most of the memory is not kept', () => {
  const cache = new FragmentCache(100_000);
  cache.set('small', parsed('x'));
  cache.set('large', parsed('x'.repeat(20_000)));
  expect(cache.get('large')).toBeUndefined();
  expect(cache.get('small')).toBeDefined();
});

test('nodes made of a kept text are not shared', () => {
  const first = document.createElement('div');
  const second = document.createElement('div');
  first.innerHTML = second.innerHTML = '<b id=x class=a>1<i>2</i></b><template><p>3</template>';
  first.querySelector('b')!.classList.add('b');
  first.querySelector('i')!.textContent = '4';
  (first.lastChild as HTMLTemplateElement).content.firstChild!.textContent = '5';
  expect(first.innerHTML).toBe('<b id="x" class="a b">1<i>4</i></b><template><p>5</p></template>');
  const third = document.createElement('div');
  third.innerHTML = '<b id=x class=a>1<i>2</i></b><template><p>3</template>';
  for (const other of [second, third]) {
    expect(other.innerHTML).toBe('<b id="x" class="a">1<i>2</i></b><template><p>3</p></template>');
  }
});
