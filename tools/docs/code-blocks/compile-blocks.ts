import { join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from './read-code-blocks.ts';
import { Preludes } from './preludes.ts';
import { toModule } from './to-module.ts';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ['node'],
  strict: true,
  experimentalDecorators: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Checks the types of all blocks in one program, each as a module of its own beside the preludes.
 *
 * @returns the errors, by the line of the page.
 */
export function compileBlocks(blocks: readonly CodeBlock[], folder: string): string[] {
  const preludes = new Preludes(folder);
  const files = new Map(
    blocks.map((block, at) => [
      join(folder, `block-${at}.ts`),
      { block, text: toModule(block, preludes) },
    ]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)?.text;
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  const errors = [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  const ofPreludes = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(folder) && !files.has(fileName));
  return [...errors, ...ofPreludes.flatMap((source) => program.getSemanticDiagnostics(source))].map(
    (error) => toLine(error, files.get(error.file!.fileName)?.block),
  );
}

function toLine(
  { file, start = 0, messageText }: ts.Diagnostic,
  block: CodeBlock | undefined,
): string {
  const line = file!.getLineAndCharacterOfPosition(start).line;
  const place =
    block === undefined ? `${file!.fileName}:${line + 1}` : `${block.page}:${block.line + line}`;
  return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}
