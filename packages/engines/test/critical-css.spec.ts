import '@angular/platform-server/init';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommonEngine } from '@angular/ssr/node';
import { createDom, type DomClasses } from '@ng-ssr/dom';
import { compileSheet, encodePlan } from 'beasties/compiler';
import { createProcessor } from 'beasties/runtime';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { readInlineCss } from '../src/fast/angular-hooks.ts';
import { PageStyles } from '../src/fast/page-styles.ts';

const dom = createDom(globalThis as unknown as DomClasses);

/** What inlines critical CSS in the app engine, and in CommonEngine. */
const KINDS = ['app engine', 'CommonEngine'] as const;

/** Angular's processor, with a count of its pages. */
function createAngulars(kind: (typeof KINDS)[number], css: readonly string[]) {
  const plans = css.map((text, i) => encodePlan(compileSheet(text, { href: `s${i}.css` })));
  let process: (html: string) => string | Promise<string>;
  if (kind === 'CommonEngine') {
    const publicPath = mkdtempSync(join(tmpdir(), 'ng-ssr-css-'));
    css.forEach((text, i) => writeFileSync(join(publicPath, `s${i}.css`), text));
    process = readInlineCss(new CommonEngine(), publicPath)!;
  } else {
    process = createProcessor(plans, {
      preload: 'media-script',
      nonce: 'n"1',
      preloadFonts: true,
      inlineFonts: true,
      noscriptFallback: true,
      cache: true,
      logger: { warn: () => undefined },
    }).process;
  }
  let count = 0;
  const inline = (html: string): string | Promise<string> => {
    count++;
    return process(html);
  };
  const isReparsed = kind === 'CommonEngine';
  return { plans, process, inline, isReparsed, count: () => count };
}

async function inlinedBy(styles: PageStyles, html: string): Promise<string> {
  const document = dom.createDocument(html, 'http://shop.example/');
  const draft = styles.draft(document, () => document.serialize(), 'http://shop.example/');
  return new TextDecoder().decode(typeof draft === 'function' ? await draft() : draft);
}

const serialize = (html: string) => dom.createDocument(html, 'http://shop.example/').serialize();

const FONTS =
  '@font-face{font-family:f;src:url(f.woff2)}.a{font-family:f}@keyframes k{to{top:0}}.b{animation:k 1s}';

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
    const element = (depth: number): string => {
      const inner =
        depth === 0 ? 't' : Array.from({ length: random.below(3) }, () => element(depth - 1));
      const attributes = [
        `class=" ${one(classes)} ${one(classes)}"`,
        `id="${one(['x', 'y', ''])}"`,
        one(['title', 'title="<"', 'dir="rtl"']),
      ].filter(() => random.below(2) === 0);
      const tag = one([...tags, 'svg', 'textarea', 'a', 'button', 'x-y']);
      return `<${tag} ${attributes.join(' ')}>${[inner].flat().join('')}</${tag}>`;
    };
    for (let build = 0; build < 12; build++) {
      const css = [rules() + FONTS, `@media print{${rules()}}${rules()}`];
      const angulars = createAngulars(kind, css);
      const styles = new PageStyles(angulars);
      const links = [
        '<link rel="stylesheet" href="s0.css">',
        '<link rel="stylesheet" href="s1.css" media="screen"><meta name="m">',
        '<link rel="stylesheet" href="https://other.example/t.css">',
        '<link rel="preload" as="font" href="f.woff2">',
        '',
      ];
      for (let i = 0; i < 25; i++) {
        const head = one(links) + one(links) + one(['', '<style>.z{}</style>', '<title>t</title>']);
        const html = serialize(
          `<!doctype html><html><head>${head}</head><body>${element(2)}</body>`,
        );
        const expected = await angulars.process(html);
        expect(await inlinedBy(styles, html), html).toBe(expected);
        expect(await inlinedBy(styles, html), html).toBe(expected);
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

  it('is asked for each time where the characters of the page decide', async () => {
    const font = '@font-face{font-family:f;src:url(f);unicode-range:U+61}.a{font-family:f}';
    const angulars = createAngulars(kind, [font]);
    const styles = new PageStyles(angulars);
    for (const text of ['a', 'b']) {
      const link = '<link rel="stylesheet" href="s0.css">';
      const html = serialize(`<head>${link}</head><body><p class="a">${text}</p></body>`);
      expect(await inlinedBy(styles, html)).toBe(await angulars.process(html));
    }
  });
});
