import { expect, test } from 'vitest';
import { slotScript } from '../../../src/features/slots/slot-script.ts';

test('data cannot leave its element', () => {
  const data = ['</script><script>alert(1)</script>', '<!--<script>', '\u2028\u2029', '\n', 'ä'];
  const text = Buffer.from(slotScript('cart', data)).toString();
  const [, json = ''] = /^<script [^>]*data-ng-ssr-slot="cart">([^<]*)\n<\/script>$/.exec(text)!;
  expect(json).not.toMatch(/[\n\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(data);
});

test.each([undefined, () => 1, Symbol('a'), 1n])('%s is not JSON', (data) => {
  expect(() => slotScript('cart', data)).toThrow(TypeError);
});

test('a function that returns nothing learns the type', () => {
  expect(() => slotScript('cart', undefined)).toThrow('a value of type undefined is not JSON');
});

test('data is ASCII, which pages in other charsets have too', () => {
  const data = ['ä', '\u{1f600}', '\ud800', 'a\u007fb'];
  const text = Buffer.from(slotScript('cart', data)).toString('latin1');
  expect(text).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(/>([^<]*)\n</.exec(text)![1]!)).toEqual(data);
});

test('data has a limit, which its error names', () => {
  expect(slotScript('cart', 'a'.repeat(999_998))).toBeInstanceOf(Uint8Array);
  expect(() => slotScript('cart', 'a'.repeat(999_999))).toThrow('allowed: 1000000');
});
