import { describe as group, expect, test } from 'vitest';
import { angularDom } from './fuzz/angular-dom.ts';
import { outcomeOf, pairOf } from './pair.ts';
import { TAGS } from './html-tags.ts';

const VALUES: readonly unknown[] = [
  ...[
    ...['', ' ', 'x', ' a b ', '0', '-1', '3.7', ' 12px', '1e3', '2147483648', 'true', 'FALSE'],
    'Submit',
  ],
  ...[
    ...['LTR', 'auto', 'checkbox', 'anonymous', 'http://u:p@h.example:81/p/q?r=s#t', '/z?y', '?q'],
    '#f',
  ],
  ...['//h.example/x', 'javascript:x', 'mailto:a@b', '"<&>\u00a0', 'off', 'POST', 'col', 'a%zz'],
  ...[null, undefined, true, false, 0, -1, 5, 3.7, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY],
];

const page = '<base href="/base/x"><form id="f"></form>';

type Loose = Element & Record<string, unknown>;

/** Accessors that Angular's classes have for elements of this tag, without those of all nodes. */
function accessorsOf(tag: string): string[] {
  const found = new Set<string>();
  let prototype = Object.getPrototypeOf(pairOf(page).expected.createElement(tag)) as object;
  const stop = (angularDom.impl['Element'] as { prototype: object }).prototype;
  for (; prototype !== stop; prototype = Object.getPrototypeOf(prototype) as object) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (get !== undefined) found.add(name);
    }
  }
  const ours = ['innerHTML', 'style', 'content'];
  return [...found].filter((name) => !name.startsWith('_') && !ours.includes(name));
}

const isHandler = (name: string) => name.startsWith('on');
const ofAll = accessorsOf('app-root');
/** What all elements have is checked on few; these depend on the tag. */
const dependent = ['tabIndex', 'title', 'dir'];

/** Accessors that this tag is checked for. */
function checkedOf(tag: string): string[] {
  const names = accessorsOf(tag);
  if (['div', 'app-root', 'body'].includes(tag)) return names;
  return names.filter((name) => dependent.includes(name) || !ofAll.includes(name));
}

group.each(TAGS)('<%s>', (tag) => {
  const names = checkedOf(tag).filter((name) => !isHandler(name));

  test('properties set attributes as in Angular', () => {
    const { expected, actual } = pairOf(page);
    for (const name of names) {
      for (const value of VALUES) {
        const [wanted, got] = [expected, actual].map((document) => {
          const element = document.createElement(tag) as unknown as Loose;
          const set = outcomeOf(() => (element[name] = value));
          return [set, outcomeOf(() => element[name]), element.outerHTML];
        });
        expect(got, `${tag}.${name} = ${String(value)}`).toEqual(wanted);
      }
    }
  });

  test('attributes are read by properties as in Angular', () => {
    const { expected, actual } = pairOf(page);
    const attributes = new Set([
      ...names.map((name) => name.toLowerCase()),
      'for',
      'http-equiv',
      'char',
    ]);
    for (const attribute of [...attributes, 'charoff', 'accept-charset']) {
      for (const value of VALUES) {
        const [wanted, got] = [expected, actual].map((document) => {
          const element = document.createElement(tag) as unknown as Loose;
          element.setAttribute(attribute, String(value));
          return [...names.map((name) => outcomeOf(() => element[name])), element.outerHTML];
        });
        expect(got, `${tag} ${attribute}=${String(value)}`).toEqual(wanted);
      }
    }
  });

  test('event handlers are set, replaced by attributes and cleared as in Angular', () => {
    const { expected, actual } = pairOf(page);
    const handlers = [...checkedOf(tag).filter(isHandler), 'onclick'];
    for (const name of [...handlers, 'onnothing']) {
      const [wanted, got] = [expected, actual].map((document) => {
        const element = document.createElement(tag) as unknown as Loose;
        const read = () => outcomeOf(() => element[name]);
        const seen = [read()];
        for (const value of [() => 1, 'x', { handleEvent: () => 1 }, 0, undefined, null]) {
          element[name] = value;
          seen.push(read());
        }
        element.setAttribute(name, 'x()');
        seen.push(read());
        element[name] = null;
        seen.push(read());
        element.removeAttribute(name);
        return [...seen, read(), element.outerHTML];
      });
      expect(got, `${tag}.${name}`).toEqual(wanted);
    }
  });
});

test('text of script, option and title is read and set as in Angular', () => {
  const { expected, actual } = pairOf(page);
  for (const tag of ['script', 'option', 'title', 'textarea', 'menuitem', 'ol']) {
    for (const markup of ['', 'a', ' a  b ', '<b>c</b> d', '<!--e-->f', '<li>g<li>h']) {
      const [wanted, got] = [expected, actual].map((document) => {
        const element = document.createElement(tag) as unknown as Loose;
        element.innerHTML = markup;
        const read = () =>
          ['text', 'value', 'label', 'start'].map((name) => outcomeOf(() => element[name]));
        const before = read();
        element.setAttribute('reversed', '');
        const set = outcomeOf(() => (element['text'] = 'new <x>'));
        return [before, read(), set, element.outerHTML];
      });
      expect(got, `<${tag}>${markup}`).toEqual(wanted);
    }
  }
});

test('collections of tables and selects hold what they hold in Angular', () => {
  const html =
    '<table id=t><tr><td>1<th>2<tbody><tr><td>3</table><select id=s><option>a<option value=b>c</select>';
  const { expected, actual } = pairOf(html);
  const read = (document: Document): string[] => {
    const list = (owner: string, name: string): string => {
      const element = document.querySelector(owner) as unknown as Record<
        string,
        ArrayLike<Element>
      >;
      const found = element[name]!;
      return `${found.length} ${Array.from(found, (each) => each.outerHTML).join()}`;
    };
    return [list('#t', 'rows'), list('tbody', 'rows'), list('tr', 'cells'), list('#s', 'options')];
  };
  expect(read(actual)).toEqual(read(expected));
});
