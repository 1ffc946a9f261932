import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { rules } = JSON.parse(readFileSync(join(root, '.textlintrc.json'), 'utf8')) as {
  readonly rules: {
    readonly terminology: { readonly terms: readonly (readonly [string, string])[] };
  };
};
const TERMS = rules.terminology.terms.map(
  ([term]) => new RegExp(term.includes('(?') ? term : `(?<![-\\w])${term}(?![-\\w])`, 'i'),
);

/** The texts of a file that can be sentences: literals of several words, with "…" for their expressions. */
function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)]
          .map(({ text }) => text)
          .join('…'),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return texts.map((text) => text.replaceAll(/<[^>]*>/g, ' ')).filter((text) => /\w \w/.test(text));
}

const wrongIn = (text: string): boolean => TERMS.some((term) => term.test(text));

test('messages follow the terms of .textlintrc.json', () => {
  // The bundled page of the inspector is code.
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/page-assets\.ts$|^packages.conformance/.test(file),
  );
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) =>
    textsIn(readFileSync(join(root, file), 'utf8'))
      .filter(wrongIn)
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('a wrong term is found, also between expressions', () => {
  const texts = textsIn('const a = `${b} is a stored page`; log("a cached page");');
  expect(texts.filter(wrongIn)).toEqual(['… is a stored page']);
});
