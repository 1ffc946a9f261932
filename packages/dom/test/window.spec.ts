import { describe, expect, test } from 'vitest';
import { angularDom } from './fuzz/angular-dom.ts';
import { describe as text, expectSame, outcomeOf, PAGE_URL, pairOf } from './pair.ts';

const HTML = '<title> a  b </title><p style="color: red" id=p>x</p>';

const URL_PARTS = [
  ...['href', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'username'],
  ...['password', 'origin'],
] as const;

const URLS = [
  ...[PAGE_URL, 'https://example.org', 'http://u:p@h:80/', 'http://h:8080/a?b#', '/only/path'],
  ...['about:blank', 'http://h/%20?ä#ö', 'http://h/a b'],
];

describe('location', () => {
  test.each(URLS)('has the parts of %s that it has in Angular', (url) => {
    const { expected, actual } = pairOf(HTML, url);
    const read = (document: Document) =>
      [...URL_PARTS, 'documentURI', 'URL'].map((part) =>
        outcomeOf(() => {
          const location = document.location as unknown as Record<string, unknown> | null;
          return part in document ? document[part as 'URL'] : location?.[part];
        }),
      );
    expect(read(actual)).toEqual(read(expected));
  });

  test.each(['/x/y?z', 'q', '../r', '#s', '?t', 'https://other.example/', '', '//h'])(
    'assign(%s)',
    (url) => {
      expectSame(HTML, (document) => {
        document.location.assign(url);
        const assigned = document.location.href;
        document.location.replace('u');
        document.location.hash = '#v';
        document.location.reload();
        return [assigned, document.location.href, String(document.defaultView!.location)];
      });
    },
  );

  test('cannot be set on the document', () => {
    expectSame(HTML, (document) => (document.location = '/x'));
  });
});

describe('the window', () => {
  test('is one object, which has the document', () => {
    const { actual } = pairOf(HTML);
    const window = actual.defaultView!;
    expect(window).toBe(actual.defaultView);
    expect(window.document).toBe(actual);
    expect(
      [window.window, window.self, window.top, window.parent].every((each) => each === window),
    ).toBe(true);
    expect(window.location).toBe(actual.location);
    expect(pairOf(HTML).actual.defaultView).not.toBe(window);
  });

  test('has what it has in Angular', () => {
    const prototype = (angularDom.impl['Window'] as { prototype: object }).prototype;
    const { expected, actual } = pairOf(HTML);
    const read = (window: object) =>
      [
        ...Object.getOwnPropertyNames(prototype),
        'location',
        'document',
        'innerWidth',
        'scrollTo',
      ].map((name) => `${name} ${outcomeOf(() => (window as Record<string, unknown>)[name])}`);
    expect(read(actual.defaultView!)).toEqual(read(expected.defaultView!));
  });

  test('gives the inline style as the computed style', () => {
    expectSame(HTML, (document) => {
      const style = document.defaultView!.getComputedStyle(document.getElementById('p')!);
      return [style.color, style.getPropertyValue('color'), style.display];
    });
  });

  test('has handlers of its own, and the load event at close', () => {
    expectSame(HTML, (document) => {
      const log: string[] = [];
      const window = document.defaultView!;
      window.onload = () => log.push('onload');
      window.addEventListener('load', () => log.push('load'));
      document.addEventListener('DOMContentLoaded', () =>
        log.push(`content ${document.readyState}`),
      );
      document.close();
      return [...log, document.readyState];
    });
  });

  test('a template has a document without a window', () => {
    expectSame('<template id=t>x</template>', (document) => {
      const template = document.getElementById('t') as HTMLTemplateElement;
      return [
        template.content.ownerDocument === document,
        template.content.ownerDocument.defaultView,
      ];
    });
  });
});

describe('the document', () => {
  const NAMES = [
    ...['title', 'dir', 'fgColor', 'linkColor', 'vlinkColor', 'alinkColor', 'bgColor', 'charset'],
    ...['characterSet', 'inputEncoding', 'contentType', 'compatMode', 'readyState', 'origin'],
    ...['domain', 'cookie', 'referrer', 'lastModified', 'scrollingElement', 'body', 'head'],
    ...['images', 'links', 'forms', 'scripts', 'applets', 'activeElement', 'doctype', 'nodeName'],
    ...['nodeValue', 'textContent', 'baseURI', 'hidden', 'visibilityState', 'fonts', 'styleSheets'],
  ];
  const PAGES = [
    '',
    '<!doctype html><title>x</title>',
    '<body text=a link=b>',
    '<html dir=rtl><title> c\n d',
    '<p>',
  ];

  test.each(PAGES)('has the properties that it has in Angular: %s', (html) => {
    const { expected, actual } = pairOf(html);
    const read = (document: Document) =>
      NAMES.map((name) => {
        const got = outcomeOf(() => (document as unknown as Record<string, unknown>)[name]);
        return `${name} ${got}`;
      });
    expect(read(actual)).toEqual(read(expected));
  });

  test.each(NAMES)('takes a new %s as in Angular', (name) => {
    for (const html of PAGES) {
      expectSame(html, (document) => {
        const loose = document as unknown as Record<string, unknown>;
        const set = outcomeOf(() => (loose[name] = 'new'));
        return [set, text(loose['title'])];
      });
    }
  });

  test('writes nothing once it is parsed', () => {
    expectSame(HTML, (document) => [document.write('<p>'), document.writeln('<p>')]);
  });
});
