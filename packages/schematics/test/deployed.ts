import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { starts } from './starts.ts';
import { runnerOf } from './workspace.ts';

/** A workspace after `ng add` of an adapter; `fetch` with Hono. */
export async function added(adapter: string, start = 'fresh with SSR'): Promise<UnitTestTree> {
  const { create, options } = starts[start]!;
  const framework = adapter === 'fetch' ? { framework: 'hono' } : {};
  const tree = await create(adapter);
  return runnerOf(adapter).runSchematic('ng-add', { ...options, ...framework }, tree);
}

/** Changes what `ng add` has written, such as the options of the server. */
export function editServer(tree: UnitTestTree, edit: (text: string) => string): void {
  tree.overwrite('/src/server.ts', edit(tree.readText('/src/server.ts')));
}

/** Runs `ng generate deploy <target>`, and returns what it has printed beside the tree. */
export async function deployTo(
  target: string,
  adapter: string,
  tree: UnitTestTree,
  options: object = {},
): Promise<{ readonly after: UnitTestTree; readonly said: string[] }> {
  const runner = runnerOf(adapter);
  const said: string[] = [];
  runner.logger.subscribe(({ message }) => said.push(message));
  return { after: await runner.runSchematic('deploy', { target, ...options }, tree), said };
}
