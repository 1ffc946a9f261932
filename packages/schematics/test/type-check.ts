import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Where the packages resolve that servers of Express import. */
const FOLDER = fileURLToPath(new URL('../../express/test/', import.meta.url));

/** The types of packages, parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles files with the types of the packages that they import; gives the errors of each. */
export function typeCheck(
  files: Readonly<Record<string, string>>,
  options: ts.CompilerOptions = {},
): string[] {
  const texts = new Map(
    Object.entries(files).map(
      ([name, text]) => [`${FOLDER}${name}.checked.ts`, text] as [string, string],
    ),
  );
  const names = [...texts.keys()];
  texts.set(`${FOLDER}main.server.ts`, 'export default () => Promise.reject<never>();');
  const all: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    esModuleInterop: true,
    types: ['node'],
    ...options,
  };
  const host = ts.createCompilerHost(all);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, language);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, language, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram(names, all, host);
  return names.flatMap((name) => {
    const source = program.getSourceFile(name)!;
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(
      ({ messageText, start = 0 }) =>
        `${name.slice(FOLDER.length)}:${source.getLineAndCharacterOfPosition(start).line + 1} ` +
        ts.flattenDiagnosticMessageText(messageText, ' '),
    );
  });
}
