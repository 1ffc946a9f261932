import type { Tree } from '@angular-devkit/schematics';
import { join } from 'node:path/posix';
import type ts from 'typescript';
import { declarationOf, filesBelow, sourceOf } from './declarations.ts';
import type { Project } from './project.ts';
import { refuse } from './refusal.ts';
import { typeScript } from './typescript.ts';

/**
 * Refuses an application whose routes are in the fragment of the URL. Browsers do not send it: a server would render
 * the home page for every address.
 */
export function assertNoHashLocation(tree: Tree, { name, build, sourceRoot }: Project): void {
  const mains = [build['browser'], build['server'], join(sourceRoot, 'main.ts')];
  const files = new Set(
    mains.flatMap((main) => (typeof main === 'string' ? filesBelow(tree, main) : [])),
  );
  for (const file of files) {
    const found = hashLocationIn(tree, file);
    if (found === undefined) continue;
    throw refuse(
      'NG_SSR_HASH_LOCATION',
      `The routes of "${name}" are in the fragment of the URL, which browsers do not send, so a server would render "/" for ` +
        `each of them: remove ${found} in ${file} first.`,
    );
  }
}

/** The code that chooses it, unless that depends on a condition. */
function hashLocationIn(tree: Tree, file: string): string | undefined {
  const api = typeScript();
  const find = (node: ts.Node): string | undefined => {
    if (api.isConditionalExpression(node) || api.isBinaryExpression(node)) return undefined;
    if (api.isCallExpression(node)) {
      const callee = node.expression.getText();
      if (callee === 'withHashLocation') return 'withHashLocation()';
      const [, options] = node.arguments;
      if (callee === 'RouterModule.forRoot' && options && usesHash(tree, file, options)) {
        return 'useHash: true';
      }
    }
    if (api.isPropertyAssignment(node) && node.name.getText() === 'useClass') {
      if (node.initializer.getText() === 'HashLocationStrategy') return 'HashLocationStrategy';
    }
    return api.forEachChild(node, find);
  };
  const source = sourceOf(tree, file);
  return source && find(source);
}

function usesHash(tree: Tree, file: string, options: ts.Node): boolean {
  const api = typeScript();
  if (api.isIdentifier(options)) {
    const declared = declarationOf(tree, file, options.text);
    return declared !== undefined && usesHash(tree, declared.file, declared.value);
  }
  if (!api.isObjectLiteralExpression(options)) return false;
  return options.properties.some(
    (one) =>
      api.isPropertyAssignment(one) &&
      one.name.getText() === 'useHash' &&
      one.initializer.kind === api.SyntaxKind.TrueKeyword,
  );
}
