import { type Compound, DocumentWriter, SelectorMatches } from '@ng-ssr/dom';
import { describe, expect, it } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { angularDocument, ourDocument, type AnyNode } from './both-doms.ts';

const writer = new DocumentWriter();
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

function pageOf(content: string, head = ''): string {
  return `<!doctype html><html><head><title>a &amp; b</title>${head}</head><body>${content}</body></html>`;
}

describe('a page as bytes', () => {
  it.each([
    '<p title="a&amp;b&quot;<>\u00e9\u00a0">x&nbsp;y &lt; \u{1f600} \u00fc \u20ac</p>',
    `<p title="${'long '.repeat(20)}&amp;">${'longer '.repeat(20)}</p>`,
    '<svg viewBox="0 0 1 1"><path d="M0"/><title>t</title><use xlink:href="#a"/><a xml:lang="x"/></svg>',
    '<math><mi>x</mi></math>',
    '<textarea>\n\nx &lt;</textarea><pre>\n\na</pre>',
    '<noscript><iframe src=x></iframe> hi &amp; <b>x</b></noscript><iframe></iframe>',
    '<script>if (a < b) "&"</script><style>a>b{content:"\u00e9"}</style>',
    `<script>${'longer than most; '.repeat(30)}</script>`,
    '<!-- hi --><!----><!--\u00e9-->',
    '<!-- <p class="a">b</p> --><!-- a<b && c>d --><!--[if IE]><meta><![endif]--><!-- <linked> -->',
    '<br><img src=x><hr><input disabled value=""><select><option selected>1</select>',
    '<x-a b.c="1" (d)="2" [e]="3" @f="4"></x-a><table><tr><td>1</table>',
  ])('has the text of the document: %s', (content) => {
    const document = ourDocument(pageOf(content));
    const page = writer.write(document)!;
    expect(text(page.bytes)).toBe(document.serialize());
    expect(text(page.bytes.subarray(page.headEnd))).toMatch(/^<\/head>/);
    expect(text(page.bytes.subarray(page.bodyEnd))).toBe('</body></html>');
  });

  it.each([
    ...['<!-- <link rel="stylesheet" href="s.css"> -->', '<!-- </BODY > -->', '<!-- <head> -->'],
    ...['<!-- a -- b -->', '<!-- <link-x rel="stylesheet"> -->'],
    '<noscript><p><!-- </noscripts> --></p></noscript>',
    ...['<noscript><p><!-- </noscript> --></p></noscript>', '<template><b>x</b></template>'],
    ...[
      '<script>"</p>"</script>',
      '<xmp>&</xmp>',
      '<p data-beasties-container>',
      '<p data-beasties-media="">',
      '<link-x></link-x>',
    ],
    '<noscript>&lt;!--</noscript>',
  ])('is left to the document where programs could read it in another way: %s', (content) => {
    expect(writer.write(ourDocument(pageOf(content)))).toBeUndefined();
  });

  it('is left to the document if a character is split over two texts', () => {
    const document: AnyNode = ourDocument(pageOf(''));
    for (const half of ['\ud83d', '\ude00']) {
      document.body.appendChild(document.createTextNode(half));
    }
    expect(document.serialize()).toContain('\u{1f600}');
    expect(writer.write(document)).toBeUndefined();
  });

  it('knows where the links of stylesheets and fonts are', () => {
    const links = '<link rel="stylesheet" href="a.css"><meta><link rel=preload as=font href=f>';
    const others = '<link rel="icon" href="i"><link rel="modulepreload" href="m">';
    const { bytes, linksStart, linksEnd } = writer.write(ourDocument(pageOf('', links + others)))!;
    expect(text(bytes.subarray(linksStart, linksEnd))).toMatch(/^<link rel="style.*href="f">$/);
    expect(writer.write(ourDocument(pageOf('', others)))?.linksStart).toBe(-1);
  });
});

const ACTIONS = ['exists', 'equals', 'element', 'start', 'end', 'any', 'hyphen'] as const;
const OPERATORS = ['', '=', '~=', '^=', '$=', '*=', '|='];

function namesOf({ tag, classes = [], ids = [], attributes = [] }: Compound): string[] {
  return [
    ...(tag === undefined ? [] : [`t ${tag}`]),
    ...classes.map((name) => `c ${name}`),
    ...ids.map((name) => `i ${name}`),
    ...attributes.map(({ name }) => `a ${name}`),
  ];
}

/**
 * Whether an element is the last of a chain of elements: each part of the selector by the DOM's own `matches`. Its
 * `querySelector` tries one ancestor alone where several match, and misses `#b ~ p .a` if the nearest `p` is not the one.
 */
function endsAt(
  element: AnyNode,
  compounds: readonly string[],
  combinators: readonly string[],
): boolean {
  if (!element.matches(compounds.at(-1)!)) return false;
  if (combinators.length === 0) return true;
  const combinator = combinators.at(-1)!;
  const next = ' >'.includes(combinator) ? 'parentElement' : 'previousElementSibling';
  const isRepeated = ' ~'.includes(combinator);
  const rest = [compounds.slice(0, -1), combinators.slice(0, -1)] as const;
  for (let other = element[next]; other; other = isRepeated ? other[next] : null) {
    if (endsAt(other, ...rest)) return true;
  }
  return false;
}

describe('selectors of a page', () => {
  it('are searched for in elements in one another without trying all combinations', () => {
    const compounds = [{ classes: ['a'] }, ...['i', 'b', 'b', 'b', 'p'].map((tag) => ({ tag }))];
    for (const combinator of [' ', '~']) {
      const chain = { compounds, combinators: Array<string>(5).fill(combinator) };
      const none = { tags: [], classes: [], ids: [], attributes: [] };
      const matches = new SelectorMatches({ ...none, chains: [chain] });
      const [content, end] = combinator === ' ' ? ['<b>', '<p>'] : ['<b></b>', '<p></p>'];
      const document = ourDocument(pageOf(`<p class="a"><i></i></p>${content.repeat(200)}${end}`));
      new DocumentWriter({ matches }).write(document);
      const start = performance.now();
      matches.key();
      // Of all combinations: seconds.
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });

  it(`match as the DOM says (seed ${seed})`, () => {
    const random = new Random(seed);
    const one = <T>(values: readonly T[]): T => random.pick(values);
    const tags = ['p', 'b', 'main', 'section'];
    const names = ['a', 'b', 'c'];
    const compound = (): { css: string; is: Compound } => {
      const kind = random.below(5);
      const value = one(names);
      if (kind === 0) {
        const tag = one(tags);
        return { css: tag, is: { tag } };
      }
      if (kind === 1) return { css: `.${value}`, is: { classes: [value] } };
      if (kind === 2) return { css: `#${value}`, is: { ids: [value] } };
      if (kind === 3) return { css: `p.${value}`, is: { tag: 'p', classes: [value] } };
      const action = random.below(ACTIONS.length);
      const name = one(['class', 'id', 'data-x']);
      const css = action === 0 ? `[${name}]` : `[${name}${OPERATORS[action]}"${value}"]`;
      return { css, is: { attributes: [{ name, action: ACTIONS[action]!, value }] } };
    };
    const element = (depth: number): string => {
      const inner =
        depth === 0 ? '' : Array.from({ length: random.below(4) }, () => element(depth - 1));
      const attributes = [
        `class="${one(names)} ${one(names)}"`,
        `id="${one(names)}"`,
        'data-x="a-b"',
      ];
      const tag = one(tags);
      return `<${tag} ${attributes.filter(() => random.below(2) === 0).join(' ')}>${[inner].flat().join('')}</${tag}>`;
    };
    for (let i = 0; i < 300; i++) {
      const compounds = Array.from({ length: 1 + random.below(3) }, compound);
      const combinators = compounds.slice(1).map(() => one([' ', '>', '+', '~']));
      const css = compounds.map(({ css }, at) => (combinators[at - 1] ?? '') + css).join('');
      const chains = [{ compounds: compounds.map(({ is }) => is), combinators }];
      const none: string[] = [];
      const matches = new SelectorMatches({
        tags: none,
        classes: none,
        ids: none,
        attributes: none,
        chains,
      });
      const html = pageOf(element(3));
      const own = new DocumentWriter({ matches });
      expect(own.write(ourDocument(html))).toBeDefined();
      const given = compounds.map(({ css }) => css);
      const all = Array.from<AnyNode>(angularDocument(html).querySelectorAll(given.at(-1)!));
      const isFound = all.some((each) => endsAt(each, given, combinators));
      // In the key the chain comes after the names that it needs.
      const bit = new Set(compounds.flatMap(({ is }) => namesOf(is))).size;
      const isMatched = ((matches.key().charCodeAt(bit >> 4) >> (bit & 15)) & 1) === 1;
      expect(isMatched, `${css} in ${html}`).toBe(isFound);
    }
  });
});

describe('characters of a page', () => {
  /** Of small letters of Latin, of Cyrillic, and of emoji. */
  const characters = [
    [0x61, 0x7a],
    [0x400, 0x40f, 0x410, 0x4ff],
    [0x1f600, 0x1f64f],
  ];
  const foundIn = (html: string, isReparsed: boolean): number => {
    const none: string[] = [];
    const selectors = { tags: none, classes: none, ids: none, attributes: none, chains: [] };
    const matches = new SelectorMatches({ ...selectors, characters });
    const own = new DocumentWriter({ matches, isReparsed });
    const keys = [html, '', html].map((content) => {
      expect(own.write(ourDocument(pageOf(content)))).toBeDefined();
      return matches.key().charCodeAt(0);
    });
    expect(keys).toEqual([keys[0], 0, keys[0]]);
    return keys[0]!;
  };

  it.each([
    ['a text', '<p>1a</p>', 0b1, 0b1],
    ['texts of several scripts', '<p>a</p><p>ж😀</p>', 0b111, 0b111],
    ['other characters', '<p>1 & < \u00a0 漢 🤖</p>', 0, 0],
    ['references', '<p>&#x436;&#128512;</p>', 0b110, 0b110],
    ['an attribute that is shown', '<img alt="ж"><input value="a" name="😀">', 0b11, 0b11],
    ['a comment', '<!--ж-->', 0, 0],
    ['a script', '<script>"a&#x436;&nbsp;&apos;"</script>', 0, 0b11],
    ['a script with an unknown reference', '<script>"&hearts;"</script>', 0, 0b111],
    ['a script with an ampersand', '<script>1&&2&#;</script>', 0, 0],
    ['a script with an attribute', '<script title="ж"></script>', 0b10, 0],
    ['a text area', '<textarea title="a">ж</textarea>', 0b11, 0b11],
    ['a title in SVG', '<svg><title>ж</title></svg>', 0, 0],
    ['content without scripts', '<noscript title="a">ж</noscript>', 0b11, 0],
  ])('are those that Beasties finds in %s', (_name, html, written, reparsed) => {
    expect([foundIn(html, false), foundIn(html, true)]).toEqual([written, reparsed]);
  });
});
