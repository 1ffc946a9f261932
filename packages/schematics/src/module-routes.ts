import type { Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { type Declaration, declarationOf } from './declarations.ts';
import { typeScript } from './typescript.ts';

/** The lists of routes of an NgModule: those that it passes to the router, and those of its imports. */
export function moduleRoutes(
  tree: Tree,
  { file, value }: Declaration,
  seen: ReadonlySet<string> = new Set(),
): { file: string; value: ts.Node }[] {
  const api = typeScript();
  if (!api.isClassDeclaration(value)) return [];
  const key = `${file} ${value.name?.text}`;
  if (seen.has(key)) return [];
  return importsOf(value).flatMap((imported) => {
    if (api.isCallExpression(imported)) {
      const [routes] = imported.arguments;
      const isRoutes = imported.expression.getText() === 'RouterModule.forChild';
      return isRoutes && routes !== undefined ? [{ file, value: routes }] : [];
    }
    const declared = declarationOf(tree, file, imported.getText());
    return declared === undefined ? [] : moduleRoutes(tree, declared, new Set(seen).add(key));
  });
}

/** The `imports` in the decorator of an NgModule. */
function importsOf(module: ts.ClassDeclaration): readonly ts.Expression[] {
  const api = typeScript();
  const calls = (api.getDecorators(module) ?? []).map(({ expression }) => expression);
  const call = calls.find(
    (one): one is ts.CallExpression =>
      api.isCallExpression(one) && one.expression.getText() === 'NgModule',
  );
  const metadata = call?.arguments[0];
  if (metadata === undefined || !api.isObjectLiteralExpression(metadata)) return [];
  const property = metadata.properties.find((one) => one.name?.getText() === 'imports');
  const list = property && api.isPropertyAssignment(property) ? property.initializer : undefined;
  return list !== undefined && api.isArrayLiteralExpression(list) ? list.elements : [];
}
