import { describe, expect, test } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { expectSame, outcomeOf, pairOf } from './pair.ts';

const NAMES = [
  ...['left', 'top', 'Color', 'background-image', 'backgroundImage', 'fontSize', 'font-size'],
  ...['--x', '--myVar', '-webkit-box', 'webkitTransform', 'constructor', '0', '1', 'a b', ''],
  ...['width', 'border', 'MozFoo', 'x_y', 'é', 'a:b', 'a;b', 'cssFloat', 'float'],
];
const VALUES = [
  ...[
    ...['', '1px', 'red', ' 2px ', '3px !important', '!important', 'url(a.png)', 'url("a;b.png")'],
    ...[5, 0],
  ],
  ...[
    ...['url(data:image/png;base64,AA==)', 'red; color: blue', 'a(b', 'a)b', '"q"', "'s'", null],
    undefined,
  ],
  ...[
    ...['var(--x, 3px)', 'a\\"b', 'data:;x:y', '/* c */ red', 'a:b', '"data:;" ; top: 1px'],
    'red !IMPORTANT',
  ],
  ...[
    '\u00a0x\u00a0',
    Number.NaN,
    '"',
    "it's",
    'url(data:a;b) !important',
    'calc(1px + (2px * 3))',
  ],
];
const PRIORITIES = [undefined, '', null, 'important', 'IMPORTANT', 'x', true];
const TEXTS = [
  ...['', 'color: red', 'color:red;top:1px', 'Color: RED; fontSize: 3px', 'a;b:c'],
  ...['left:1px;;top:2px', 'color: red !important; color: blue', 'background: url("x;y")', 'b: ('],
  ...['b: )', ': x; y: z', 'x:', '/* x:y; */ color: red', 'content: "\\"";color:red', '1: a; 0: b'],
  ...['color', 'constructor: x', 'x:;y:1', 'a: url(data:b;c)', 'a:"b', '--x: 1;--X: 2', 'a:b;a:c'],
  'color: red;\n  top: 1px;\n',
];

type Style = CSSStyleDeclaration & Record<string, unknown>;
type Step = (element: HTMLElement) => unknown;

const OPERATIONS: readonly (readonly [string, (random: Random) => [string, Step]])[] = [
  ...[1, 2, 3].map(() =>
    operation('setProperty', (random) => {
      const args = [random.pick(NAMES), random.pick(VALUES), random.pick(PRIORITIES)] as never[];
      return [
        JSON.stringify(args),
        (element) => element.style.setProperty(...(args as [never, never, never])),
      ];
    }),
  ),
  operation('[name] =', (random) => {
    const [name, value] = [random.pick(NAMES), random.pick(VALUES)];
    return [`${name}: ${String(value)}`, (element) => ((element.style as Style)[name] = value)];
  }),
  operation('removeProperty', (random) => {
    const name = random.pick(NAMES);
    return [name, (element) => element.style.removeProperty(name)];
  }),
  operation('setAttribute', (random) => {
    const style = random.pick(TEXTS);
    return [style, (element) => element.setAttribute('style', style)];
  }),
  operation('cssText =', (random) => {
    const style = random.pick(TEXTS);
    return [style, (element) => (element.style.cssText = style)];
  }),
  operation('style =', (random) => {
    const style = random.pick(TEXTS);
    return [style, (element) => ((element as { style: unknown }).style = style)];
  }),
  operation('removeAttribute', () => ['', (element) => element.removeAttribute('style')]),
  operation('cloneNode', () => ['', (element) => (element.cloneNode() as Element).outerHTML]),
  operation('read', (random) => {
    const name = random.pick(NAMES);
    return [
      name,
      ({ style }) => [
        style.getPropertyValue(name),
        style.getPropertyPriority(name),
        (style as Style)[name],
      ],
    ];
  }),
  operation('items', () => [
    '',
    ({ style }) => [
      style.length,
      ...Array.from({ length: style.length + 1 }, (_, i) => style.item(i)),
    ],
  ]),
  operation('item', (random) => {
    const index = random.below(3);
    return [String(index), ({ style }) => style.item(index)];
  }),
  operation('text', () => [
    '',
    (element) => [element.getAttribute('style'), element.style.cssText],
  ]),
];

function operation(
  name: string,
  make: (random: Random) => [string, Step],
): readonly [string, (random: Random) => [string, Step]] {
  return [name, make];
}

test('random operations on a style leave what they leave in Angular', () => {
  const { requests: rounds, seed } = fuzzOptions(2000);
  console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${rounds}`);
  const random = new Random(seed);
  const { expected, actual } = pairOf('<p>');
  for (let round = 0; round < rounds; round++) {
    const [wanted, got] = [expected, actual].map((document) => document.createElement('p'));
    const log: string[] = [];
    for (let step = 0; step < 8; step++) {
      const [name, make] = random.pick(OPERATIONS);
      const [args, run] = make(random);
      log.push(`${name} ${args}`);
      const want = outcomeOf(() => run(wanted!));
      expect(
        outcomeOf(() => run(got!)),
        log.join('\n'),
      ).toBe(want);
      // Reading is a step too: mostly the text is not made between changes.
      if (random.chance(0.3)) expect(got!.outerHTML, log.join('\n')).toBe(wanted!.outerHTML);
    }
    expect(got!.outerHTML, log.join('\n')).toBe(wanted!.outerHTML);
  }
});

describe('style', () => {
  test('is one object per element and makes no attribute by itself', () => {
    const { actual } = pairOf('<p>');
    const element = actual.querySelector('p')!;
    expect(element.style).toBe(element.style);
    expect(element.style.color).toBe('');
    expect(element.hasAttribute('style')).toBe(false);
  });

  test('keeps the place of the attribute among the others', () => {
    expectSame('<p a style="color: red" b>', (document) => {
      const element = document.querySelector('p')!;
      element.style.top = '1px';
      element.setAttribute('c', '');
      element.style.removeProperty('color');
      return [...element.attributes].map(({ name, value }) => `${name}=${value}`);
    });
  });

  test('is there for SVG, not for MathML', () => {
    expectSame('<svg><g style="x: y"/></svg><math><mi style="x: y"></math>', (document) => {
      const [g, mi] = [document.querySelector('g')!, document.querySelector('mi')!];
      g.style.setProperty('stroke-width', '2', 'important');
      return [g.getAttribute('style'), (mi as unknown as { style: unknown }).style];
    });
  });

  test('a node of the attribute shows the style as it is', () => {
    expectSame('<p>', (document) => {
      const element = document.querySelector('p')!;
      element.style.color = 'red';
      const node = element.getAttributeNode('style')!;
      element.style.top = '1px';
      const before = node.value;
      node.value = 'left: 2px';
      return [before, element.style.left, element.style.color, element.getAttribute('style')];
    });
  });

  test('a selector sees it', () => {
    expectSame('<p>', (document) => {
      document.querySelector('p')!.style.color = 'red';
      return [
        document.querySelectorAll('[style="color: red;"]').length,
        document.querySelectorAll('[style]').length,
      ];
    });
  });
});
