import type { Tree } from '@angular-devkit/schematics';
import { dirname, join } from 'node:path/posix';
import type ts from 'typescript';
import { parseSource, typeScript } from './typescript.ts';

/** The value of a variable, or a class, and its file. */
export interface Declaration {
  readonly file: string;
  readonly value: ts.Expression | ts.ClassDeclaration;
}

/** The declaration of a name in a file: in the file itself, or in the one that it is imported from. */
export function declarationOf(tree: Tree, file: string, name: string): Declaration | undefined {
  const api = typeScript();
  const source = sourceOf(tree, file);
  for (const statement of source?.statements ?? []) {
    if (api.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (declaration.name.getText() === name && declaration.initializer !== undefined) {
          return { file, value: declaration.initializer };
        }
      }
    }
    if (api.isClassDeclaration(statement)) {
      const isDefault = statement.modifiers?.some(
        ({ kind }) => kind === api.SyntaxKind.DefaultKeyword,
      );
      if (statement.name?.text === name || (name === 'default' && isDefault)) {
        return { file, value: statement };
      }
    }
    if (name === 'default' && api.isExportAssignment(statement)) {
      return { file, value: statement.expression };
    }
    if (!api.isImportDeclaration(statement)) continue;
    const { importClause, moduleSpecifier } = statement;
    const bindings = importClause?.namedBindings;
    const element =
      bindings !== undefined && api.isNamedImports(bindings)
        ? bindings.elements.find((one) => one.name.text === name)
        : undefined;
    const isDefault = importClause?.name?.text === name;
    const path = pathOf(tree, file, (moduleSpecifier as ts.StringLiteral).text);
    if (path !== undefined && (element !== undefined || isDefault)) {
      return declarationOf(
        tree,
        path,
        isDefault ? 'default' : (element!.propertyName ?? element!.name).text,
      );
    }
  }
  return undefined;
}

/** The file of a relative import. */
export function pathOf(tree: Tree, file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = join(dirname(file), specifier);
  return [`${path}.ts`, `${path}/index.ts`, path].find((one) => tree.exists(one));
}

export function sourceOf(tree: Tree, file: string): ts.SourceFile | undefined {
  return tree.exists(file) ? parseSource(tree.readText(file)) : undefined;
}

/** A file and those that it imports, directly or through others; the file itself is first. */
export function filesBelow(tree: Tree, main: string): string[] {
  const api = typeScript();
  const found = new Set([main]);
  for (const file of found) {
    for (const statement of sourceOf(tree, file)?.statements ?? []) {
      const isFrom = api.isImportDeclaration(statement) || api.isExportDeclaration(statement);
      const specifier = isFrom ? statement.moduleSpecifier : undefined;
      if (specifier === undefined || !api.isStringLiteral(specifier)) continue;
      const path = pathOf(tree, file, specifier.text);
      if (path !== undefined) found.add(path);
    }
  }
  return [...found].filter((file) => tree.exists(file));
}
