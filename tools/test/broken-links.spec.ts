import { expect, it } from 'vitest';
import { brokenLinks } from './markdown/broken-links.ts';
import { readMarkdown } from './markdown/markdown-page.ts';

const GUIDE = `# Guide

## What a \`hit\` costs: CPU, bytes & time
## Again
## Again
## [Linked](a.md) heading_with_underscore
### <a id="cache-maxbytes"></a>\`cache.maxBytes\`

\`\`\`sh
# no heading [nor link](nowhere.md)
\`\`\`
`;

it('names anchors as GitHub does', () => {
  expect([...readMarkdown(GUIDE).anchors]).toEqual([
    'guide',
    'what-a-hit-costs-cpu-bytes--time',
    'again',
    'again-1',
    'linked-heading_with_underscore',
    'cachemaxbytes',
    'cache-maxbytes',
  ]);
});

it.each([
  ['[a](guide.md)', []],
  ['[a](./guide.md#again-1) and [b](#here)\n\n# Here', []],
  ['![chart](../bench/chart.svg)', []],
  ['[folder](../bench) [folder](../bench/)', []],
  ['[code](../bench/chart.svg#L10)', []],
  ['[web](https://example.com/#x) [mail](mailto:a@example.com)', []],
  ['`[a](gone.md)` and\n\n````md\n```\n[a](gone.md)\n```\n````', []],
  ['[a](#own)\n\n| <a id="own"></a>`own` |', []],
  ['[a](#own) `<a id="own">`', ['#own']],
  ['[a](gone.md)', ['gone.md']],
  ['[a](guide.md#gone)', ['guide.md#gone']],
  ['[a](#gone)', ['#gone']],
  ['[a](/docs/guide.md)', ['/docs/guide.md']],
  ['[a][b]\n\n[b]: gone.md', ['gone.md']],
  ['<img src="gone.svg">', ['gone.svg']],
  ['[a](gone.md "Title")', ['gone.md']],
])('of %j the broken links are %j', (text, broken) => {
  const pages = new Map([
    ['docs/page.md', text],
    ['docs/guide.md', GUIDE.replace('[Linked](a.md)', 'Linked')],
  ]);
  const files = [...pages.keys(), 'bench/chart.svg'];
  expect(brokenLinks(files, (path) => pages.get(path)!)).toEqual(
    broken.map((link) => `docs/page.md: ${link}`),
  );
});
