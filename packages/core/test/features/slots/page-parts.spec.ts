import { expect, test } from 'vitest';
import { splitPage } from '../../../src/features/slots/page-parts.ts';

function split(html: string): readonly [start: string, end: string] {
  const { start, end } = splitPage(Buffer.from(html));
  return [Buffer.concat([...start]).toString(), Buffer.from(end).toString()];
}

const MAIN = '<script src="main-ABC.js" type="module"></script>';
const ASYNC = '<script async src="main-ABC.js" type="module"></script>';
const STATE = '<script id="ng-state" type="application/json">{"a":"script"}</script>';

test.each([
  ['<body><p>a</p></body></html>', '</body></html>'],
  ['<body><p>a</p></BODY >\n</HTML>\n<!-- built -->\n', '</BODY >\n</HTML>\n<!-- built -->\n'],
  ['<body><script>a = "</body>"</script></body></html>', '</body></html>'],
  // No end: what follows is read as part of the body.
  ['<body><p>a</p>', ''],
  ['<body><script>a = "</body></html>"</script><p>b', ''],
  ['<p>a</p></html>', ''],
  ['', ''],
])('slots stand at the end of the body of %j', (html, end) => {
  expect(split(html)).toEqual([html.slice(0, html.length - end.length), end]);
});

test('the module script of a page is async, and last', () => {
  const [start, end] = split(`<body><p>ä à</p>${MAIN}\n${STATE}\n</body></html>`);
  expect(start).toBe(`<body><p>ä à</p>\n${STATE}\n${ASYNC}`);
  expect(end).toBe('</body></html>');
});

test('also where nothing is between elements, and an inline script follows', () => {
  const [start] = split(`<body><p></p>${MAIN}${STATE}<script>a()</script></body></html>`);
  expect(start).toBe(`<body><p></p>${STATE}<script>a()</script>${ASYNC}`);
});

test('it keeps its attributes', () => {
  const attributes = ' src="main.js" type="module" crossorigin nonce="a>b" integrity="sha384-x"';
  const [start] = split(`<body><script${attributes}></script></body>`);
  expect(start).toBe(`<body><script async${attributes}></script>`);
});

test.each([
  ['polyfills and application', `<script src="polyfills.js" type="module"></script>${MAIN}`],
  ['a deferred script at the end', `<script src="scripts.js" defer></script>${MAIN}`],
  ['another module in the head', `<script type=module src="a.js"></script><p></p>${MAIN}`],
  ['a deferred script in the head', `<script src="a.js" defer></script><p></p>${MAIN}`],
  ['an inline module', `<script type="module">import('./a.js')</script>`],
  ['an inline module beside it', `<script type="module">a()</script>${MAIN}`],
  ['in a comment', `<!-- ${MAIN} -->`],
  ['in a comment with more', `<!-- ${MAIN} more -->${STATE}`],
  ['in a comment that contains the mark of one', `<!-- ${MAIN} <!-- x -->`],
  [
    'a deferred script whose attribute ends with the mark of an element',
    `<script src=">" defer></script><p></p>${MAIN}`,
  ],
  ['a deferred script without a space', `<script src="a.js"defer></script><p></p>${MAIN}`],
  ['in a template', `<template>${MAIN}</template>`],
  ['in noscript', `<noscript>${MAIN}</noscript>`],
  ['in the text of a script', `<script>a = '<script src="a.js" type="module">'</script>`],
  ['async already', ASYNC],
  ['no module', `<script src="a.js"></script>${STATE}`],
  ['not at the end', `${MAIN}<p>a</p>`],
])('scripts stay as they are: %s', (_, content) => {
  const html = `<body>${content}`;
  expect(split(`${html}</body></html>`)[0]).toBe(html);
});

test('many marks of scripts in a page are read once', () => {
  // 20,000 of them took four seconds when each was compared with all text after it.
  const marks = (count: number): string =>
    `<body><script type="application/ld+json">"${'<script '.repeat(count)}"</script>${MAIN}</body>`;
  const cpuOf = (html: string): number => {
    const before = process.cpuUsage();
    split(html);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  split(marks(10));
  const [few, many] = [cpuOf(marks(10_000)), cpuOf(marks(100_000))];
  expect(many).toBeLessThan(50 * few + 100_000);
});
