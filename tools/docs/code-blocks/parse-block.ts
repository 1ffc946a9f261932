import { parseTemplate } from '@angular/compiler';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import type { CodeBlock } from './read-code-blocks.ts';

/** The problems of a block, by language; undefined for languages that are not parsed. */
const PARSERS: Readonly<Record<string, (code: string) => readonly string[]>> = {
  json: (code) => {
    const text = code.trimStart();
    // A part of a file is members of an object.
    JSON.parse(/^[{[]/.test(text) ? text : `{${text}}`);
    return [];
  },
  jsonc: (code) => messagesOf([ts.parseConfigFileTextToJson('block.jsonc', code).error]),
  js: (code) => {
    const options = { reportDiagnostics: true, fileName: 'block.js' };
    return messagesOf(ts.transpileModule(code, options).diagnostics ?? []);
  },
  html: (code) => (parseTemplate(code, 'block.html').errors ?? []).map(({ msg }) => msg),
  yaml: (code) =>
    parseAllDocuments(code).flatMap((document) => document.errors.map(({ message }) => message)),
};

/** What is wrong with a block; undefined where its language has no parser here. */
export function problemsOf({ page, line, language, code }: CodeBlock): string[] | undefined {
  const parse = PARSERS[language];
  if (parse === undefined) return undefined;
  try {
    return parse(code).map((problem) => `${page}:${line}: ${problem}`);
  } catch (error) {
    return [`${page}:${line}: ${(error as Error).message}`];
  }
}

function messagesOf(errors: readonly (ts.Diagnostic | undefined)[]): string[] {
  return errors.flatMap((error) =>
    error === undefined ? [] : [ts.flattenDiagnosticMessageText(error.messageText, ' ')],
  );
}
