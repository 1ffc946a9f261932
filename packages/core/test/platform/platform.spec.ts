import { LRUCache } from 'lru-cache';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { platform as neutral } from '../../src/platform/neutral.ts';
import { platform as node } from '../../src/platform/node.ts';
import { LRUCache as RecentlyUsed } from '../../src/platform/recently-used.ts';

const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);

test('both platforms read and write the same bytes', async () => {
  for (const text of ['', 'a', 'ä€😀', '\ud800', 'x'.repeat(5000)]) {
    expect([...neutral.toBytes(text)]).toEqual([...node.toBytes(text)]);
  }
  const [own, other] = [neutral.toByteText(bytes), node.toByteText(bytes)];
  expect([own.length, own.slice(0, 128)]).toEqual([256, other.slice(0, 128)]);
  for (const platform of [neutral, node]) {
    expect(platform.isSameContent(bytes, bytes.slice())).toBe(true);
    expect(platform.isSameContent(bytes, bytes.subarray(1))).toBe(false);
    expect(platform.isSameContent(bytes, bytes.toReversed())).toBe(false);
    expect(await platform.isSameSecret('a secret', 'a secret')).toBe(true);
    expect(await platform.isSameSecret('a secreT', 'a secret')).toBe(false);
    expect(await platform.isSameSecret('', 'a secret')).toBe(false);
  }
});

test('a neutral channel has the listeners of its bundle, and survives them', () => {
  const channel = neutral.channel('ng-ssr:test');
  const heard: unknown[] = [];
  const listen = (message: unknown): void => void heard.push(message);
  const fail = (): void => {
    throw new Error('on purpose');
  };
  expect(channel.hasSubscribers).toBe(false);
  channel.subscribe(fail);
  channel.subscribe(listen);
  expect(neutral.channel('ng-ssr:test')).toBe(channel);
  channel.publish(1);
  channel.unsubscribe(fail);
  channel.unsubscribe(listen);
  channel.publish(2);
  expect([heard, channel.hasSubscribers]).toEqual([[1], false]);
});

test(`stored pages are kept and dropped in the order of lru-cache, seed ${seed}`, () => {
  const random = new Random(seed);
  const disposed: string[][] = [[], []];
  const optionsFor = (at: number) => ({
    maxSize: 100,
    dispose: (value: object, key: string, reason: string) =>
      void disposed[at]!.push(`${key} ${(value as { id: number }).id} ${reason}`),
  });
  const theirs = new LRUCache<string, object>(optionsFor(0));
  const ours = new RecentlyUsed<object>(optionsFor(1));
  for (let step = 0; step < 3000; step++) {
    const key = `key ${random.below(12)}`;
    const size = 1 + random.below(40);
    const act = random.below(5);
    const value = { id: step };
    if (act === 0) expect(ours.get(key)).toBe(theirs.get(key));
    else if (act === 1) expect(ours.peek(key)).toBe(theirs.peek(key));
    else if (act === 2) for (const cache of [ours, theirs]) cache.delete(key);
    else {
      ours.set(key, value, size);
      theirs.set(key, value, { size });
    }
    expect(ours.has(key)).toBe(theirs.has(key));
    expect([...ours.entries()]).toEqual([...theirs.entries()]);
    expect([ours.size, ours.calculatedSize]).toEqual([theirs.size, theirs.calculatedSize]);
  }
  expect(disposed[1]).toEqual(disposed[0]);
});

test('hits while a caller walks along the entries change none of them', () => {
  const cache = new RecentlyUsed<object>({ maxSize: 3 });
  for (const key of ['a', 'b', 'c']) cache.set(key, { key });
  const walked: string[] = [];
  for (const [key] of cache.entries()) {
    walked.push(key);
    if (walked.length > 3) break;
    cache.get(key);
  }
  expect(walked).toEqual(['c', 'b', 'a']);
});
