import type { Random } from '../../../conformance/src/fuzz/random.ts';

export const SIMPLE = [
  ...['*', 'div', 'p', 'P', 'span', 'a', 'td', 'svg', 'path', 'foreignObject', 'x-y', 'body'],
  ...['html', '#a', '#b', '#A', '#nope', '.a', '.b', '.A', '.a.b', 'div.a', 'p#b', '[id]'],
  ...['[class]', '[ID]', '[id=a]', '[class~=a]', '[title]', '[title=""]', '[data-x]'],
  ...['[data-x="a b"]', "[href^='/x']", '[lang|=en]', '[class*=b]', '[href$=z]', '[id="a" i]'],
  ...['[name=n]', '[value]', '[checked]', '[for]', ':first-child', ':last-child', ':only-child'],
  ...[':nth-child(2)', ':nth-child(odd)', ':empty', ':nth-child(2n+1)', ':nth-last-child(1)'],
  ...[':first-of-type', ':last-of-type', ':only-of-type', ':nth-of-type(1)'],
  ...[':nth-last-of-type(2n)', ':root', ':not(.a)', ':not(p, div)', ':is(p, .a)', ':matches(p)'],
  ...[':checked', ':disabled', ':enabled', ':required', ':optional', ':read-only', ':read-write'],
  ...[':any-link', ':scope', ':focus', ':lang(en)', ':dir(ltr)', ':contains(x)', ':has(p)'],
  ...[':has(> p)', ':default', ':valid', ':invalid', ':in-range', ':indeterminate', '.\\61'],
  ...['#\\61 ', '.é', '#a\\:b', '._ngcontent-x', '[_ngcontent-x]', '[ng-version]', 'ns|p', '', ' '],
  ...['.', '#', '[', '[]', '[=a]', ':', '::before', ':nope', ':hover', ':target', '!', 'p!', '>'],
  ...['> p', 'p >', '+', '~', ',', 'p,', ',p', '..a', '1a', ')', '(', '"', 'a b]', '*|*', '\\'],
] as const;

const COMBINATORS = [' ', ' > ', ' + ', ' ~ ', '>', '+', '~', ', ', ',', '  '] as const;

/** A selector: simple, compound, complex or a list; some are not valid. */
export function randomSelector(random: Random): string {
  let selector: string = random.pick(SIMPLE);
  while (random.chance(0.3)) {
    selector += (random.chance(0.25) ? '' : random.pick(COMBINATORS)) + random.pick(SIMPLE);
  }
  return selector;
}
