import type ts from 'typescript';
import { typeScript } from '../typescript.ts';

/** Declarations that are unused once some statements are removed. */
export interface Unused {
  readonly statements: readonly ts.VariableStatement[];
  readonly imports: ReadonlyMap<ts.ImportDeclaration, ReadonlySet<string>>;
}

/**
 * Finds imports and variables that only the given statements use, directly or through each other; a
 * variable counts where its statement declares no other. Earlier unused declarations are left alone.
 *
 * @param kept - Names in the removed statements that are still used.
 */
export function unusedAfter(
  source: ts.SourceFile,
  gone: readonly ts.Statement[],
  kept: ReadonlySet<string> = new Set(),
): Unused {
  const api = typeScript();
  const removed = new Set<ts.Node>(gone);
  const statements: ts.VariableStatement[] = [];
  const imports = new Map<ts.ImportDeclaration, Set<string>>();
  const touched = new Set(gone.flatMap((statement) => [...namesIn(statement)]));

  const isUsed = (name: string, declaration: ts.Node): boolean => {
    if (kept.has(name)) return true;
    const uses = (node: ts.Node): boolean => {
      if (removed.has(node)) return false;
      if (api.isIdentifier(node)) {
        return node.text === name && node !== declaration && isReference(node);
      }
      return api.forEachChild(node, (child) => uses(child) || undefined) ?? false;
    };
    return uses(source);
  };

  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const statement of variablesIn(source)) {
      const [{ name, initializer } = {}] = statement.declarationList.declarations;
      if (removed.has(statement) || name === undefined || !api.isIdentifier(name)) continue;
      if (!touched.has(name.text) || isUsed(name.text, name)) continue;
      removed.add(statement);
      statements.push(statement);
      if (initializer !== undefined) for (const used of namesIn(initializer)) touched.add(used);
      isChanged = true;
    }
  }
  for (const declaration of source.statements.filter((one) => api.isImportDeclaration(one))) {
    for (const name of importedNames(declaration)) {
      if (!touched.has(name.text) || isUsed(name.text, name)) continue;
      imports.set(declaration, (imports.get(declaration) ?? new Set()).add(name.text));
    }
  }
  return { statements, imports };
}

/** The variables that code refers to. */
export function namesIn(node: ts.Node): Set<string> {
  const api = typeScript();
  const names = new Set<string>();
  const visit = (inner: ts.Node): void => {
    if (api.isIdentifier(inner) && isReference(inner)) names.add(inner.text);
    api.forEachChild(inner, visit);
  };
  visit(node);
  return names;
}

/** Not the name of a member or of a property. */
function isReference(node: ts.Identifier): boolean {
  const api = typeScript();
  const { parent } = node;
  if (api.isPropertyAccessExpression(parent)) return parent.name !== node;
  if (api.isPropertyAssignment(parent)) return parent.name !== node;
  return true;
}

/** Statements that declare one variable and are not exported, at the top or in a function there. */
function variablesIn(source: ts.SourceFile): ts.VariableStatement[] {
  const api = typeScript();
  const functions = source.statements.flatMap((one) =>
    api.isFunctionDeclaration(one) && one.body !== undefined ? [...one.body.statements] : [],
  );
  return [...source.statements, ...functions].filter(
    (one): one is ts.VariableStatement =>
      api.isVariableStatement(one) &&
      one.modifiers === undefined &&
      one.declarationList.declarations.length === 1,
  );
}

function importedNames({ importClause }: ts.ImportDeclaration): ts.Identifier[] {
  const api = typeScript();
  const bindings = importClause?.namedBindings;
  return [
    ...(importClause?.name === undefined ? [] : [importClause.name]),
    ...(bindings === undefined
      ? []
      : api.isNamedImports(bindings)
        ? bindings.elements.map(({ name }) => name)
        : [bindings.name]),
  ];
}
