import { expect, test } from 'vitest';
import { OpenPages } from '../../../src/features/slots/open-pages.ts';

test('under load, pages that are made for one client are not encoded', async () => {
  const pages = new OpenPages((cause) => {
    throw cause;
  });
  const page = (name: string): Buffer => Buffer.from(`<body>${`<p>${name}</p>`.repeat(500)}`);
  const open = ['a', 'b', 'c'].map((name) => pages.open(page(name), 'gzip'));
  const encodings = (await Promise.all(open)).map(({ encoding }) => encoding);
  expect(encodings).toEqual(['gzip', 'gzip', 'identity']);
  expect((await pages.open(page('d'), 'gzip')).encoding).toBe('gzip');
});
