import '@angular/platform-server/init';
import type { SsrDocument } from '@ng-ssr/dom';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PageStyles } from '../src/fast/page-styles.ts';
import { createAngulars, dom, draftedBy, KINDS } from './fixture/critical-css.ts';

const LINK = '<link rel="stylesheet" href="s0.css">';

function createPage(body: string, head = LINK): Document & SsrDocument {
  const html = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  return dom.createDocument(html, 'http://shop.example/') as Document & SsrDocument;
}

/** A page whose document is changed as a program may. */
function changed(page: Document & SsrDocument, change: (document: Document) => void): typeof page {
  change(page);
  return page;
}

/** Pages that differ in the critical CSS of a stylesheet: the first after the others, and before them. */
const CASES: Readonly<Record<string, readonly [css: string, ...pages: (() => SsrDocument)[]]>> = {
  'a class in capitals in SVG': [
    '.a{top:0}',
    () => changed(createPage('<svg></svg>'), (document) => setOfSvg(document, 'Class')),
    () => createPage('<svg></svg>'),
  ],
  'an id in capitals in SVG': [
    '#a{top:0}',
    () => changed(createPage('<svg></svg>'), (document) => setOfSvg(document, 'ID')),
    () => createPage('<svg></svg>'),
  ],
  'no body': [
    '.a{top:0}',
    () => createPage('<p class="a"></p>', `${LINK}<meta>`),
    () => changed(createPage('', `${LINK}<meta class="a">`), (document) => document.body.remove()),
  ],
  'the links in the body': [
    '.a{top:0}',
    () => createPage('<p class="a"></p>', `${LINK}<meta>`),
    () => createPage(`<p class="a"></p>${LINK}<i></i>`, ''),
  ],
  'rules in rules': [
    '.a{color:red;.b{top:0}}',
    () => createPage('<p class="a"><b class="b"></b></p>'),
    () => createPage('<p class="a"></p>'),
  ],
  'a value that is the name of a class': [
    '[class*="btn"]{top:0}[id^="x"]{top:0}',
    () => createPage('<p class="btn"></p>'),
    () => createPage('<p class="btn-x"></p>'),
    () => createPage('<p class="btn-x" id="x"></p>'),
    () => createPage('<p class="btn-x" id="xy"></p>'),
  ],
  'a class without a name': [
    '[class]{top:0}',
    () => createPage('<p class="a  b"></p>'),
    () => createPage('<p class="a b"></p>'),
    () => createPage('<p class=""></p>'),
  ],
  'a class without a name that is asked for': [
    '[class=""]{top:0}',
    () => createPage('<p class="a  b"></p>'),
    () => createPage('<p class="a b"></p>'),
  ],
  'an id without a name': [
    '[id]{top:0}',
    () => createPage('<p id=""></p>'),
    () => createPage('<p id="a"></p>'),
  ],
  'an id with spaces': [
    '#x > b{top:0}',
    () => createPage('<p id=" x "><b></b></p>'),
    () => createPage('<p id="x"><b></b></p>'),
  ],
  'a space of another script in a class': [
    '.a{top:0}',
    () => createPage('<p class="a b"></p>'),
    () => createPage('<p class="a\u2003b"></p>'),
  ],
  'elements in elements': [
    '* > * > * > *{top:0}',
    () => createPage('<p></p>'),
    () => createPage('<p><b><i></i></b></p>'),
  ],
  'a word without letters': [
    '[data-x~=""]{top:0}',
    () => createPage('<p data-x="a"></p>'),
    () => createPage('<p data-x=""></p>'),
  ],
  'an attribute that differs': [
    'p[data-x!="a"]{top:0}',
    () => createPage('<p data-x="a"></p>'),
    () => createPage('<p data-x="b"></p>'),
  ],
  'a stylesheet that the build has copied': [
    '.none{top:0}',
    () => createPage('<p class="a"></p>', '<link rel="stylesheet" href="/copied.css?v=1">'),
    () => createPage('<p></p>', '<link rel="stylesheet" href="/copied.css?v=1">'),
  ],
};

function setOfSvg(document: Document, name: string): void {
  document.querySelector('svg')!.setAttribute(name, 'a');
}

/** How often Angular is asked for the critical CSS of three pages that differ in their text. */
async function askedForThree(
  { count, ...angulars }: ReturnType<typeof createAngulars>,
  names: string,
  head?: string,
): Promise<number> {
  const styles = new PageStyles(angulars);
  for (const text of ['1', '2', '3']) {
    await draftedBy(styles, createPage(`<p class="${names}">${text}</p>`, head));
  }
  return count();
}

/** The page, or what fails: Beasties fails without a body. */
function settled(page: string | Promise<string>): Promise<string> {
  return Promise.resolve(page).catch(String);
}

describe.each(KINDS)('critical CSS of the %s is not that of a page with', (kind) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  afterAll(() => void vi.restoreAllMocks());

  it.each(Object.entries(CASES))('%s', async (_name, [css, ...pages]) => {
    for (const order of [pages, pages.toReversed()]) {
      const copied = { 'copied.css': 'p{left:0}.a{top:0}' };
      const angulars = createAngulars(kind, [css], copied);
      const styles = new PageStyles(angulars);
      for (const create of [...order, ...order]) {
        const expected = await settled((async () => angulars.process(create().serialize()))());
        expect(await settled(draftedBy(styles, create()))).toBe(expected);
      }
    }
  });

  it.each([
    ['of the build', '<link rel="stylesheet" href="./s0.css?v=1" media="print">'],
    ['of another host', '<link rel="stylesheet" href="https://other.example/t.css">'],
    ['that is to be skipped', '<link rel="stylesheet" href="copied.css" data-beasties-skip>'],
  ])('others, but for stylesheets %s', async (_name, link) => {
    const angulars = createAngulars(kind, ['.a{top:0}'], { 'copied.css': 'p{}' });
    expect(await askedForThree(angulars, 'a', LINK + link)).toBe(1);
  });

  it.each([
    '.a{top:0;&:hover{top:1px}& .b,&.c{top:2px}@media print{top:3px}}',
    '*,:before,:after,*:not([dir]){top:0}.a>*+*{top:0}*+*{top:0}',
    '[class^=icon-],[class*=" icon-"]{top:0}[hidden]{top:0}',
  ])('others, but for rules such as %s', async (css) => {
    expect(await askedForThree(createAngulars(kind, [css]), 'a icon-x')).toBe(1);
  });
});

it('of a page with more elements in one another than the writer has room for is that of Angular', async () => {
  const createDeep = (depth: number): Document & SsrDocument => {
    const document = createPage('');
    let last: Element = document.body;
    for (let at = 0; at < depth; at++) last = last.appendChild(document.createElement('p'));
    return document;
  };
  const isSerialized = (depth: number): boolean => {
    try {
      return createDeep(depth).serialize() !== '';
    } catch {
      return false;
    }
  };
  let depth = 8_000;
  while (!isSerialized(depth)) depth -= 200;
  const angulars = createAngulars('app engine', ['p{top:0}']);
  const page = await draftedBy(new PageStyles(angulars), createDeep(depth - 200));
  expect(page).toBe(await angulars.process(createDeep(depth - 200).serialize()));
});
