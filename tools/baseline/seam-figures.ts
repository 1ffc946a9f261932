import ts from 'typescript';
import type { Figures } from './figures.ts';
import { importsOf } from './imports.ts';
import type { SourceFile } from './source-files.ts';

/** The names of the files and types whose size says how much the parts of the core know of each other. */
const COMPOSE = /(^|\/)compose\.ts$/;
const PARTS = 'PathParts';

/** What the request path is made of. A file or type that no longer exists has no figure. */
export function seamFigures(files: readonly SourceFile[]): Figures {
  const core = files.filter((file) => file.package === 'core');
  const compose = core.find(({ path }) => COMPOSE.test(path));
  const members = core.map(membersOfParts).find((count) => count !== undefined);
  return {
    ...(compose && {
      'imports of compose.ts': importsOf(compose).length,
      'lines of compose.ts': compose.lines,
    }),
    ...(members !== undefined && { [`members of ${PARTS}`]: members }),
  };
}

function membersOfParts({ path, text }: SourceFile): number | undefined {
  if (!text.includes(`interface ${PARTS}`)) return undefined;
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found = statements.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === PARTS,
  );
  return (found as ts.InterfaceDeclaration | undefined)?.members.length;
}
