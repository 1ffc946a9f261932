import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from './read-code-blocks.ts';
import { Preludes } from './preludes.ts';
import { fileNameOf, toModule } from './to-module.ts';

/** What this program needs besides the options of an application; `ng add` adds Node's types. */
const OWN: ts.CompilerOptions = { types: ['node'], allowImportingTsExtensions: true, noEmit: true };

/**
 * Checks the types of all blocks in one program, each as a file of its own beside the preludes.
 *
 * @param tsConfig - The tsconfig.json of an application.
 * @returns the errors, by the line of the page.
 */
export function compileBlocks(
  blocks: readonly CodeBlock[],
  folder: string,
  tsConfig: string,
): string[] {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', tsConfig) as { config: object };
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, folder).options, ...OWN };
  const preludes = new Preludes(folder);
  const files = new Map(
    blocks.map((block, at) => [
      join(folder, `block-${at}.ts`),
      { block, text: toModule(block, preludes) },
    ]),
  );
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(folder, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, from, redirect) =>
    literals.map(({ text: name }) => {
      const own = importedBlock(name, files.get(from)?.block, files);
      if (own !== undefined) return { resolvedModule: { resolvedFileName: own, extension: '.ts' } };
      return ts.resolveModuleName(name, from, options, host, cache, redirect);
    });
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)?.text;
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
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

/** The block of the same page that is the imported file, as `./product-page` is `src/app/product-page.ts`. */
function importedBlock(
  name: string,
  from: CodeBlock | undefined,
  files: ReadonlyMap<string, { readonly block: CodeBlock }>,
): string | undefined {
  const importing = from && fileNameOf(from.code);
  if (importing === undefined || !name.startsWith('.')) return undefined;
  const file = `${join(dirname(importing), name)}.ts`;
  const found = [...files].find(
    ([, { block }]) => block.page === from?.page && fileNameOf(block.code) === file,
  );
  return found?.[0];
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
