import ts from 'typescript';
import type { CodeBlock } from './read-code-blocks.ts';
import type { Preludes } from './preludes.ts';

/** A block as a module: its code begins in the first line, so that lines are those of the block. */
export function toModule(block: CodeBlock, preludes: Preludes): string {
  const wrapped = wrap(block);
  const source = parse(wrapped);
  const imports = preludes.importsFor(block, source);
  // A block that names its file is that whole file: without an import or export it is no module.
  const mark = fileNameOf(block.code) !== undefined ? '' : 'export {}; ';
  return `${mark}${imports} ${wrapped}`;
}

/** As `// src/app/public-config.ts: the type, once`, in the first line. */
const FILE_NAME = /^\/\/ ((?:\w+\/)+[\w.-]+\.ts)\b/;

/** The file that a block is the whole of. */
export function fileNameOf(code: string): string | undefined {
  return FILE_NAME.exec(code)?.[1];
}

/** Members of an object or of a class get one around them; the type of an object says which members it may have. */
function wrap({ code, fragmentOf }: CodeBlock): string {
  if (fragmentOf !== undefined) return asMembers(code, fragmentOf);
  const [first] = parse(code).statements;
  if (first !== undefined && ts.isLabeledStatement(first)) return asMembers(code, 'ServerOptions');
  if (hasSyntaxErrors(code)) {
    const asClass = `interface Block extends Component {} class Block { ${code}\n}`;
    if (!hasSyntaxErrors(asClass)) return asClass;
  }
  return code;
}

function asMembers(code: string, type: string): string {
  return `export const fragment: Partial<${type}> = { ${code}\n};`;
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest, true);
}

function hasSyntaxErrors(code: string): boolean {
  const { parseDiagnostics } = parse(code) as ts.SourceFile & {
    readonly parseDiagnostics: readonly ts.Diagnostic[];
  };
  return parseDiagnostics.length > 0;
}
