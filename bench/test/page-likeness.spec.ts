import { describe, expect, it } from 'vitest';
import { isSamePage, looksTheSame } from '../src/measure/page-likeness.ts';

describe('the same page', () => {
  it.each([
    ['an id that counts up', '<p id="mat-input-3">', '<p id="mat-input-17">'],
    ['the time of a render', '<time datetime="a">b</time>', '<time datetime="c">d</time>'],
    ['its number', '<b id="render-count">7</b>', '<b id="render-count">812</b>'],
  ])('but for %s', (_what, page, other) => {
    expect(isSamePage(page, other)).toBeUndefined();
  });

  it.each([
    ['a text', '<p>one</p>', '<p>two</p>'],
    ['an attribute', '<p id="a1">', '<p id="a2">'],
    ['what is missing at the end', '<p>one</p>', '<p>one</p> '],
    ['the order of attributes', '<p a b>', '<p b a>'],
  ])('not with another: %s', (_what, page, other) => {
    expect(isSamePage(page, other)).toMatch(/^differs at \d+: /);
  });
});

describe('pages that look the same', () => {
  const isLike = looksTheSame(/<div[^>]* id="wrapper"/);
  const page =
    '<main><div id="wrapper"><p class="a" style="left:1.00px;top:2.00px">x</p></div></main>';

  it.each([
    ['comments', page.replace('<p', '<!--[--><p')],
    ['attributes for hydration', page.replace('class=', 'data-hk="01" _ngcontent class=')],
    ['white space', page.replace('<p', '\n  <p').replace('</p>', '</p>\n ')],
    [
      'the way styles are written',
      page.replace('left:1.00px;top:2.00px', 'left: 1.00px; top: 2.00px;'),
    ],
    ['what is around them', page.replaceAll('main', 'body')],
    ['what comes before its id', page.replace('<div', '<div ngh="0"')],
  ])('but for %s', (_what, other) => {
    expect(isLike(page, other)).toBeUndefined();
  });

  it.each([
    ['text', page.replace('>x<', '>y<')],
    ['class', page.replace('"a"', '"b"')],
    ['style', page.replace('2.00', '2.01')],
    ['element', page.replace('</p>', '</p><p></p>')],
    ['tag', page.replace('<p', '<b').replace('</p>', '</b>')],
  ])('not with another %s', (_what, other) => {
    expect(isLike(page, other)).toMatch(/^differs at \d+: /);
  });
});
