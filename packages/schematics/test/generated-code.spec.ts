import { describe, expect, test } from 'vitest';
import { lint } from './lint.ts';
import { copyOf, newApplication, runnerOf, servers } from './workspace.ts';
import ts from 'typescript';

describe.each(servers)('the server.ts of @ng-ssr/%s %o', (adapter, options) => {
  test.each(['app', 'common'])('on the %s engine is lint-clean', async (engine) => {
    const start = copyOf(await newApplication({ ssr: true, zoneless: engine === 'app' }));
    const tree = await runnerOf(adapter).runSchematic('ng-add', { ...options, engine }, start);
    expect(await lint(tree.readText('/src/server.ts'))).toEqual([]);
  });

  test('compiles for "module": "es2020", which has no await at the top level', async () => {
    const start = await newApplication({ ssr: true });
    const tree = await runnerOf(adapter).runSchematic('ng-add', options, start);
    const source = ts.createSourceFile('server.ts', tree.readText('/src/server.ts'), 99, true);
    const awaits = (node: ts.Node): boolean =>
      ts.isAwaitExpression(node) ||
      (ts.forEachChild(node, (child) => awaits(child) || undefined) ?? false);
    expect(awaits(source)).toBe(false);
  });
});
