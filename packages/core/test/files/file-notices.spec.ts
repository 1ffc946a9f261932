import { expect, it } from 'vitest';
import { noticeOfUnencoded, noticeOfUnheld } from '../../src/files/file-notices.ts';

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/${index}.json`, sizeBytes: 10 }));

it('a notice names five files, and says how many more there are', () => {
  const message = noticeOfUnencoded(files(10_000))!.message;
  expect(message).toContain('/4.json (10 bytes) and 9995 more: sent without a content encoding');
  expect(message).not.toContain('/5.json');
  expect(noticeOfUnencoded(files(5))!.message).toContain('/4.json (10 bytes): sent without');
});

it('as do those of pages', () => {
  const pages = files(6).map(({ path }) => path);
  expect(noticeOfUnheld(pages)!.message).toContain('/4.json and 1 more: too large');
});
