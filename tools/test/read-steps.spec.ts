import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Step {
  readonly line: number;
  readonly path?: string;
  readonly text?: string;
  readonly commands?: readonly string[];
  readonly expected?: string;
}

const root = join(import.meta.dirname, '../..');
const { readSteps } = (await import(join(root, 'tools/e2e/docs-pages/read-steps.mjs'))) as {
  readonly readSteps: (page: string, markdown: string) => readonly Step[];
};

const PAGE = `# Page

\`\`\`ts
export const shown = true;
\`\`\`

\`\`\`ts
// src/a.ts
export const a = 1;
\`\`\`

\`\`\`sh
# In a second terminal:
curl -s \\
  localhost:4000/
curl -I localhost:4000/
\`\`\`

\`\`\`text
<h1>Home</h1>
\`\`\`
`;

test('the steps of a page are its files, and its commands with their output', () => {
  expect(readSteps('page.md', PAGE)).toEqual([
    { line: 8, path: 'src/a.ts', text: '// src/a.ts\nexport const a = 1;\n' },
    {
      line: 13,
      commands: ['curl -s    localhost:4000/', 'curl -I localhost:4000/'],
      expected: '<h1>Home</h1>',
    },
  ]);
});

test('output without commands before it is a mistake of the page', () => {
  const page = PAGE.replace(/```sh[^]*?```/, '');
  expect(() => readSteps('page.md', page)).toThrow('page.md:15: the output has no commands');
});

test.each(['docs/tutorial.md', 'docs/leaving.md', 'docs/existing-express.md'])(
  '%s compares what its commands print',
  (page) => {
    const steps = readSteps(page, readFileSync(join(root, page), 'utf8'));
    expect(steps.filter(({ expected }) => expected !== undefined)).not.toEqual([]);
    expect(steps.filter(({ path }) => path === 'src/server.ts')).not.toEqual([]);
  },
);
