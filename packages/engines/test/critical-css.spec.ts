import '@angular/platform-server/init';
import type { SsrDocument } from '@ng-ssr/dom';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { PageStyles } from '../src/fast/page-styles.ts';
import {
  createAngulars,
  dom,
  draftedBy,
  inlinedBy,
  KINDS,
  serialize,
} from './fixture/critical-css.ts';

/** A font of Latin letters, one of Cyrillic, two of others beyond, and one without a range. */
const FONTS = [
  ['U+0000-00FF,U+0131', 'latin.woff2'],
  ['U+0301,U+0400-045F,U+04??', 'cyrillic.woff2'],
  ['U+4E00-9FFF', 'chinese.woff2'],
  ['U+1F600-1F64F', 'emoji.woff2'],
]
  .map(([range, file]) => `@font-face{font-family:f;src:url(${file});unicode-range:${range}}`)
  .concat('@font-face{font-family:f;src:url(f.woff2)}.a{font-family:f}')
  .concat('@keyframes k{to{top:0}}.b{animation:k 1s}')
  .join('');

/** What sites have besides plain rules. The first two are as Font Awesome and Google Fonts write them. */
const STYLESHEETS: Readonly<Record<string, string>> = {
  'icons in a font with ranges': `
    :root,:host{--fa-font-regular:normal 400 1em/1 "Font Awesome 6 Free"}
    @font-face{font-family:"Font Awesome 6 Free";font-style:normal;font-weight:400;font-display:block;
      src:url(fa-regular-400.woff2) format("woff2"),url(fa-regular-400.ttf) format("truetype")}
    @font-face{font-family:"FontAwesome";font-display:block;src:url(fa-v4.woff2) format("woff2");
      unicode-range:u+f003,u+f006,u+f014,u+f016-f017,u+f01a-f01b,u+f01d,u+f022,u+f03e,u+f044,u+f046}
    .a,.fa{font-family:var(--fa-style-family,"Font Awesome 6 Free");font-weight:var(--fa-style,900)}
    .fa-user:before{content:"\\f007"}.fa-spin{animation-name:fa-spin}
    @keyframes fa-spin{0%{transform:rotate(0deg)}to{transform:rotate(1turn)}}`,
  'fonts for scripts': `
    /* cyrillic */
    @font-face{font-family:'Roboto';font-style:normal;font-weight:400;font-stretch:100%;font-display:swap;
      src:url(https://fonts.gstatic.com/s/roboto/v47/a.woff2) format('woff2');
      unicode-range:U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116}
    /* latin */
    @font-face{font-family:'Roboto';font-style:normal;font-weight:400;font-stretch:100%;font-display:swap;
      src:url(https://fonts.gstatic.com/s/roboto/v47/b.woff2) format('woff2');
      unicode-range:U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+2000-206F,U+20AC,U+2122,U+FEFF,U+FFFD}
    .a{font-family:Roboto,sans-serif}`,
  '@layer': '@layer base,theme;@layer base{.a{color:red}.none{top:0}}@layer theme{p{top:0}}',
  '@supports': '@supports (display:grid){.a{display:grid}}@supports not (top:0){.none{top:0}}',
  '@container': '.a{container:main/inline-size}@container main (min-width:9em){.b{top:0}}',
  '@media': '@media (min-width:9em) and (hover){.a{top:0}}@media print{.none{top:0}}',
  '@property': '@property --x{syntax:"<color>";inherits:false;initial-value:red}.a{color:var(--x)}',
  '@import and @namespace':
    '@charset "utf-8";@import url("https://other.example/a.css") layer(x);@namespace url(x);.a{top:0}',
  '@keyframes':
    '@keyframes k{to{top:0}}@-webkit-keyframes k{to{top:0}}@keyframes n{to{top:0}}.a{animation:k 1s}',
  '@font-feature-values':
    '@font-feature-values F{@styleset{nice:12}}@font-palette-values --p{font-family:F}.a{font-family:F}',
  '@counter-style and @page': '@counter-style c{system:cyclic;symbols:"x"}@page{margin:0}.a{top:0}',
  '@scope and @starting-style':
    '@scope (.a) to (.none){p{top:0}}@starting-style{.b{opacity:0}}@view-transition{navigation:auto}',
  'nested rules': '.a{top:0;& .b{top:1px}&:hover{top:2px}@media print{top:3px}}.none{& p{top:0}}',
  'selectors of many kinds':
    '.a:has(.b),.a:is(.b,.none){top:0}[data-x^="t" i]{top:0}.a>p:nth-child(2n of .b)::after{top:0}',
};

describe.each(KINDS)('critical CSS of the %s', (kind) => {
  afterAll(() => void vi.restoreAllMocks());
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);

  it(`is that of Angular for pages of all kinds (seed ${seed})`, async () => {
    const random = new Random(seed);
    const one = <T>(values: readonly T[]): T => random.pick(values);
    const classes = ['a', 'b', 'c&d', 'md:flex', '\u00e9'];
    const tags = ['p', 'li', 'main'];
    const selector = (): string =>
      one([
        () => `.${one(classes).replace(/[&:]/g, '\\$&')}`,
        () => `#${one(['x', 'y'])}`,
        () => one(tags),
        () => `${one(tags)}.a`,
        () => `.a ${one([' ', '>', '+', '~'])} .b`,
        () => `[title]`,
        () => `[title="&lt;"]`,
        () => `[dir=rtl] .a:hover`,
        () => `:root`,
        () => `.a:not(.b)`,
        () => '*',
      ])();
    const rule = (): string => `${selector()},${selector()}{color:${one(['red', 'blue'])}}`;
    const rules = (): string => Array.from({ length: 6 }, rule).join('');
    // The first are likelier: a page has some characters, not all.
    const texts = ['', '', '', ' ', 't', 'ж', '漢', '😀', '&amp;', '&nbsp;', '&lt;ж', 'İ'];
    const silent = (): string =>
      one([
        () => '',
        () => `<!--${one(texts)}<p class="${one(classes)}">${one(texts)}</p><!a>-->`,
        () =>
          `<script>"${one([...texts, '&eacute;', '&#x436;', '&#28450;', '&x', '&quot;'])}"</script>`,
        () => `<noscript>${one(texts)}</noscript>`,
        () => `<textarea>${one(texts)}</textarea>`,
        () => `<svg><title>${one(texts)}</title></svg>`,
        () => `<style>.y{content:"${one(texts)}"}</style>`,
        () => `<img alt="${one(texts)}"><input placeholder="${one(texts)}" name="${one(texts)}">`,
        () =>
          `<button title="${one(texts)}" value="${one(texts)}" aria-label="${one(texts)}"></button>`,
      ])();
    const element = (depth: number): string => {
      const inner =
        depth === 0
          ? one(texts)
          : Array.from({ length: random.below(3) }, () => element(depth - 1));
      const attributes = [
        `class=" ${one(classes)} ${one(classes)}"`,
        `id="${one(['x', 'y', ''])}"`,
        one(['title', 'title="<"', 'dir="rtl"', 'data-beasties-skip']),
      ].filter(() => random.below(2) === 0);
      const tag = one([...tags, 'svg', 'textarea', 'a', 'button', 'x-y']);
      return `<${tag} ${attributes.join(' ')}>${[inner].flat().join('')}</${tag}>`;
    };
    for (let build = 0; build < 12; build++) {
      const css = [rules() + FONTS, `@media print{${rules()}}${rules()}`];
      const angulars = createAngulars(kind, css);
      const styles = new PageStyles(angulars);
      const links = [
        '<!-- <meta name="a"> <script>"b"</script> -->',
        '<link rel="stylesheet" href="s0.css">',
        '<link rel="stylesheet" href="s1.css" media="screen"><meta name="m">',
        '<link rel="stylesheet" href="https://other.example/t.css">',
        '<link rel="stylesheet" href="s1.css" data-beasties-skip>',
        '<link data-beasties-skip="x" rel="stylesheet" href="s0.css" media="print">',
        '<link rel="preload" as="font" href="f.woff2">',
        '',
      ];
      for (let i = 0; i < 25; i++) {
        const head =
          one(links) +
          one(links) +
          one(['', '<style>.z{}</style>', `<title>${one(texts)}</title>`]);
        const html = serialize(
          `<!doctype html><html><head>${head}</head><body>${element(2)}${silent()}${silent()}</body>`,
        );
        const expected = await angulars.process(html);
        expect(await inlinedBy(styles, html), html).toBe(expected);
        expect(await inlinedBy(styles, html), html).toBe(expected);
      }
    }
  });

  it.each([
    ['a character that is longer in lower case', '<b title="\u0130"></b>', '<b title="I"></b>'],
    ['an SVG element with the name of a void one', '<svg><input></input></svg>', '<svg></svg>'],
  ])('is not that of another page with %s', async (_name, strange, plain) => {
    const angulars = createAngulars(kind, ['main > .a{color:red}']);
    const toPage = (content: string): string =>
      '<!doctype html><html><head><link rel="stylesheet" href="s0.css"></head><body>' +
      `<main>${content}<p class="a"></p></main></body>`;
    for (const order of [
      [strange, plain],
      [plain, strange],
    ]) {
      const styles = new PageStyles(angulars);
      for (const html of order.map(toPage)) {
        expect(await inlinedBy(styles, html)).toBe(await angulars.process(serialize(html)));
      }
    }
  });

  it('is asked for once for pages where the same selectors match', async () => {
    const { count, ...angulars } = createAngulars(kind, ['.a .b{color:red}.c{top:0}']);
    const styles = new PageStyles(angulars);
    const page = (content: string) =>
      serialize(
        `<!doctype html><html><head><link rel="stylesheet" href="s0.css"></head><body>${content}</body>`,
      );
    const pages = [
      '<p class="a"><b class="b">1</b></p>',
      '<p class="a other">2<b class="b"></b></p>',
      '<p class="a"></p><p class="b"></p>',
      '<p class="b"></p><p class="a">3</p>',
    ].map(page);
    for (const html of pages)
      expect(await inlinedBy(styles, html)).toBe(await angulars.process(html));
    expect(count()).toBe(2);
  });

  it('is asked for once for pages with a stylesheet that is to be skipped', async () => {
    const { count, ...angulars } = createAngulars(kind, ['.a{color:red}', '.a{top:0}']);
    const styles = new PageStyles(angulars);
    for (const skips of ['data-beasties-skip', 'data-beasties-skip', '']) {
      const links = `<link rel="stylesheet" href="s0.css" ${skips}><link rel="stylesheet" href="s1.css">`;
      const html = serialize(
        `<!doctype html><html><head>${links}</head><body><p class="a"></p></body>`,
      );
      const page = await inlinedBy(styles, html);
      expect(page).toBe(await angulars.process(html));
      expect(page.includes('color:red')).toBe(skips === '');
    }
    expect(count()).toBe(2);
  });

  it('is asked for once for each of two pages that are rendered at the same time', async () => {
    const { count, ...angulars } = createAngulars(kind, ['.a{color:red}.b{top:0}']);
    const styles = new PageStyles(angulars);
    const pages = ['<p class="a">1</p>', '<p class="b">A longer text</p><p>2</p>'].map((content) =>
      serialize(
        `<!doctype html><html><head><link rel="stylesheet" href="s0.css"></head><body>${content}</body>`,
      ),
    );
    for (let round = 0; round < 3; round++) {
      const inlined = await Promise.all(pages.map((html) => inlinedBy(styles, html)));
      expect(inlined).toEqual(await Promise.all(pages.map((html) => angulars.process(html))));
    }
    expect(count()).toBe(2);
  });

  it('is asked for once for pages with characters in the same ranges', async () => {
    const { count, ...angulars } = createAngulars(kind, [FONTS]);
    const styles = new PageStyles(angulars);
    const texts = ['a', 'b', 'ж', 'щы', '漢', '字 漢', '😀', 'a', 'ж'];
    for (const text of texts) {
      const link = '<link rel="stylesheet" href="s0.css">';
      const html = serialize(
        `<!doctype html><html><head>${link}</head><body><p class="a">${text}</p></body>`,
      );
      const page = await inlinedBy(styles, html);
      expect(page).toBe(await angulars.process(html));
      for (const [font, isUsed] of [
        ['cyrillic', /[а-я]/],
        ['chinese', /[漢字]/],
        ['emoji', /😀/u],
      ] as const) {
        expect([text, font, page.includes(`${font}.woff2`)]).toEqual([
          text,
          font,
          isUsed.test(text),
        ]);
      }
    }
    // Latin, Cyrillic, Chinese, Chinese with a space, and emoji.
    expect(count()).toBe(5);
  });

  it('is asked for each time, and says so once, where the plans of the build have another form', async () => {
    const { count, plans, ...angulars } = createAngulars(kind, ['.a{top:0}']);
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.resetModules();
    const { PageStyles: OfAnother } = await import('../src/fast/page-styles.ts');
    const others = plans.map((plan) => [2, ...plan.slice(1)]);
    const html = serialize(
      '<head><link rel="stylesheet" href="s0.css"></head><body><p class="a"></p></body>',
    );
    for (const styles of [1, 2].map(() => new OfAnother({ ...angulars, plans: others }))) {
      for (let page = 1; page <= 2; page++) {
        expect(await inlinedBy(styles, html)).toBe(await angulars.process(html));
      }
    }
    expect(count()).toBe(4);
    expect(error.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^ng-ssr: NG_SSR_ANGULAR_CHANGED: .*critical CSS is computed for each/,
        ),
      ],
    ]);
    error.mockRestore();
  });

  it.each(Object.entries(STYLESHEETS))('is asked for once with %s', async (_name, css) => {
    const { count, ...angulars } = createAngulars(kind, [css]);
    const styles = new PageStyles(angulars);
    for (const text of ['one', 'two', 'three']) {
      const html = serialize(
        '<!doctype html><html><head><link rel="stylesheet" href="s0.css"></head><body>' +
          `<main class="a fa fa-user"><p class="b" data-x="tea">${text}</p></main></body>`,
      );
      const page = await inlinedBy(styles, html);
      expect(page).toBe(await angulars.process(html));
      expect(page).toContain('.a');
    }
    expect(count()).toBe(1);
  });
});

describe('pages that Beasties has written again', () => {
  const html =
    '<html><head><link rel="stylesheet" href="s0.css"></head><body><p class="a"></p><svg></svg></body></html>';

  function createPage(): Document & SsrDocument {
    return dom.createDocument(html, 'http://shop.example/') as Document & SsrDocument;
  }

  /** Inlines a page whose elements have such attributes, and checks it against Angular's own. */
  async function inlineWith(
    styles: PageStyles,
    angulars: ReturnType<typeof createAngulars>,
    attributes: readonly (readonly [selector: string, name: string])[],
  ): Promise<void> {
    const document = createPage();
    for (const [selector, name] of attributes) {
      (document as unknown as Document).querySelector(selector)!.setAttribute(name, 'v');
    }
    expect(await draftedBy(styles, document)).toBe(await angulars.process(document.serialize()));
  }

  it('are known by the names that a parser reads, without the numbers at their ends', async () => {
    const angulars = createAngulars('CommonEngine', ['.a{color:red}.none{top:0}']);
    const styles = new PageStyles(angulars);
    for (let n = 0; n < 5; n++) {
      const attributes = [
        ['svg', 'cIcon'],
        ['svg', 'viewBox'],
        ['p', `pc${n}`],
      ] as const;
      await inlineWith(styles, angulars, attributes);
    }
    expect(angulars.count()).toBe(1);
  });

  it('are not known by names that a parser reads as others', async () => {
    const angulars = createAngulars('CommonEngine', ['.a{color:red}[cicon]{top:0}.none{top:0}']);
    const styles = new PageStyles(angulars);
    for (const names of [
      ['cIcon'],
      ['cicon'],
      ['cIcon', 'cicon'],
      ['CICON', 'cIcon'],
      [],
      ['Class'],
      ['Id'],
    ]) {
      const attributes = names.map((name) => ['svg', name] as const);
      await inlineWith(styles, angulars, attributes);
      await inlineWith(styles, angulars, attributes);
    }
  });

  /** An element: its name, with `svg:` in that namespace, its attributes, and its children. */
  type Given = [name: string, attributes: Record<string, string>, ...children: (Given | string)[]];

  function create(document: Document, [name, attributes, ...children]: Given): Element {
    const element = name.startsWith('svg:')
      ? document.createElementNS('http://www.w3.org/2000/svg', name.slice(4))
      : document.createElement(name);
    for (const [each, value] of Object.entries(attributes)) element.setAttribute(each, value);
    for (const child of children) {
      const text = typeof child === 'string' ? document.createTextNode(child) : undefined;
      element.appendChild(text ?? create(document, child as Given));
    }
    return element;
  }

  const svg = (...children: (Given | string)[]): Given => [
    'svg:svg',
    { viewBox: '0' },
    ...children,
  ];

  it.each<readonly [string, ...Given[]]>([
    ['a text without characters', svg(['svg:text', {}, 'x']), svg(['svg:text', {}, ''])],
    [
      'an HTML element in SVG, without content',
      svg(['svg:g', {}, ['text', {}, 'x']]),
      svg(['svg:g', {}, ['text', {}]]),
    ],
    [
      'a component of HTML that is in SVG, too',
      ['x-y', {}, ['b', { class: 'c' }], ['i', { _ngcontent: '' }, 'x']],
      svg(['svg:x-y', {}, 'x']),
      svg(['svg:x-y', {}, ['b', { class: 'c' }]]),
      svg(['svg:x-y', {}, ['i', { _ngcontent: '' }, 'x']]),
    ],
    [
      'a void element in SVG',
      ['a', {}, ['img', { src: 'x' }]],
      svg(['svg:a', {}, 'x']),
      svg(['svg:a', {}, ['img', { src: 'x' }]]),
    ],
    [
      'an SVG element in HTML',
      svg(['svg:desc', {}, ['svg:g', {}, 'x']], ['svg:g', {}, ['svg:path', {}]]),
      svg(['svg:desc', {}, ['svg:g', { viewBox: '0' }, 'x']]),
      svg(['svg:desc', {}, ['svg:g', {}, ['svg:path', {}]]]),
    ],
    [
      'a name with a colon',
      svg('x'),
      ['p', { ':viewbox': '0' }],
      ['svg:svg', { viewbox: '0' }, 'x'],
    ],
    [
      'a form in a form',
      ['div', {}, ['form', {}, 'x']],
      ['form', {}, ['div', {}, 'x']],
      ['form', {}, ['div', {}, ['form', {}, 'x']]],
    ],
    ['the name of a script', ['p', {}, ['script', { id: 'x' }]], ['p', { id: 'x' }]],
    [
      'an empty nonce before another',
      ['p', { ngCspNonce: '' }, ['b', { ngCspNonce: 'n' }]],
      ['p', {}, ['b', { ngCspNonce: 'n' }]],
    ],
  ])('are not those of pages with %s', async (_name, ...given) => {
    const pages = given as readonly Given[];
    const angulars = createAngulars('CommonEngine', ['.a{color:red}#x{top:0}.none{top:0}']);
    const styles = new PageStyles(angulars);
    for (const page of pages.flatMap((each) => [each, each])) {
      const document = createPage();
      document.body.appendChild(create(document, page));
      expect(await draftedBy(styles, document)).toBe(await angulars.process(document.serialize()));
    }
  });

  it.each([
    ['[lang=ar]', 'lang', 'ar'],
    ['[data-x]', 'data-x', 'y'],
    ['[lang=ar] .a', 'lang', 'ar'],
    ['.c.d', 'class', 'c d'],
    ['.c', 'class', 'c'],
    ['#x', 'id', 'x'],
  ] as const)(
    'have the rules of %s whether html has it or an element',
    async (selector, name, value) => {
      const angulars = createAngulars('CommonEngine', [`.a{color:red}${selector}{top:0}`]);
      const styles = new PageStyles(angulars);
      for (const owners of [['html'], ['p'], ['html', 'p'], [], ['p'], ['html']]) {
        const document = createPage();
        for (const owner of owners) document.querySelector(owner)!.setAttribute(name, value);
        expect(await draftedBy(styles, document)).toBe(
          await angulars.process(document.serialize()),
        );
      }
    },
  );
});
