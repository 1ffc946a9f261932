import { createDom, type DomClasses } from '@ng-ssr/dom';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { angularDom } from './fuzz/angular-dom.ts';

const dom = createDom(angularDom.impl as DomClasses);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Adds an element with an id, and removes it. */
function addAndRemove(document: Document, id: string): WeakRef<Element> {
  const element = document.createElement('p');
  element.id = id;
  document.body.appendChild(element);
  expect(document.getElementById(id) === element).toBe(true);
  element.remove();
  return new WeakRef(element);
}

test('a released document keeps no element that was removed, and finds the others', async () => {
  const created = dom.createDocument('<main id="main"></main>', 'http://localhost/');
  const document = created as unknown as Document;
  const removed = addAndRemove(document, 'removed');
  dom.release(created);
  await expect
    .poll(() => {
      collect();
      return removed.deref() === undefined;
    })
    .toBe(true);
  expect(document.getElementById('removed')).toBeNull();
  expect(document.getElementById('main')?.localName).toBe('main');
  addAndRemove(document, 'later');
});

test('a document without ids is released', () => {
  const created = dom.createDocument('<p>', 'http://localhost/');
  dom.release(created);
  expect(created.serialize()).toContain('<p></p>');
});
