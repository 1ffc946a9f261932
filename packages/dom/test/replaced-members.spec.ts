import { createDom } from '@ng-ssr/dom';
import { expect, it, onTestFinished } from 'vitest';
import { type AnyNode, classes, PAGE, URL_OF_PAGE } from './both-doms.ts';

/** A DOM that has been asked, as after a page. */
function usedDom() {
  const dom = createDom(classes);
  const document = dom.createDocument(PAGE, URL_OF_PAGE) as AnyNode;
  document.createElement('video');
  expect(dom.replacedMember()).toBeUndefined();
  expect(dom.replacedMember()).toBeUndefined();
  return dom;
}

function define(className: string, name: PropertyKey): void {
  const { prototype } = classes[className] as AnyNode;
  Object.defineProperty(prototype, name, { configurable: true, value: () => undefined });
  onTestFinished(() => void Reflect.deleteProperty(prototype, name));
}

it.each([
  ['HTMLElement', 'setAttribute'],
  ['HTMLElement', 'appendChild'],
  ['HTMLDivElement', 'setAttribute'],
  ['HTMLVideoElement', 'setAttribute'],
  ['HTMLBodyElement', 'appendChild'],
  ['Element', 'appendChild'],
  ['SVGElement', 'getAttribute'],
  ['Text', 'cloneNode'],
  ['Document', 'appendChild'],
  ['DocumentFragment', 'appendChild'],
])('finds at once what is defined on %s: %s', (className, name) => {
  const dom = usedDom();
  define(className, name);
  expect(dom.replacedMember()).toBe(`${className}.prototype.${name}`);
});

it('finds a member that takes the place of another one', () => {
  const dom = usedDom();
  define('HTMLDivElement', 'added');
  expect(dom.replacedMember()).toBeUndefined();
  Reflect.deleteProperty((classes['HTMLDivElement'] as AnyNode).prototype, 'added');
  define('HTMLDivElement', 'setAttribute');
  expect(dom.replacedMember()).toBe('HTMLDivElement.prototype.setAttribute');
});

it.each([
  ['Document', 'createElement'],
  ['Node', 'addEventListener'],
])('finds what is assigned on %s: %s', (className, name) => {
  const dom = usedDom();
  const prototype = (classes[className] as AnyNode).prototype;
  const own = Object.getOwnPropertyDescriptor(prototype, name);
  prototype[name] = () => undefined;
  onTestFinished(() => {
    if (own === undefined) Reflect.deleteProperty(prototype, name);
    else Object.defineProperty(prototype, name, own);
  });
  expect(dom.replacedMember()).toBe(`${className}.prototype.${name}`);
});

it('does not mind members that no node of ours has', () => {
  const dom = usedDom();
  define('HTMLElement', 'added');
  define('HTMLElement', Symbol('added'));
  expect(dom.replacedMember()).toBeUndefined();
});

it('looks for new members alone, because those of Angular cannot be defined anew', () => {
  const { Element, Node, Document, HTMLElement } = classes as AnyNode;
  for (const { prototype } of [Element, Node, Document, HTMLElement]) {
    const configurable = Reflect.ownKeys(prototype).filter(
      (key) => Object.getOwnPropertyDescriptor(prototype, key)!.configurable,
    );
    expect(configurable.filter((key) => !String(key).startsWith('_'))).toEqual([]);
  }
});
