import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
type Graph = ReadonlyMap<string, readonly string[]>;

/** The relative imports of every source file, those of types too. */
function readGraph(pattern: string): Graph {
  const graph = new Map<string, readonly string[]>();
  for (const file of globSync(pattern, { cwd: root })) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
    const relatives = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    graph.set(
      file,
      relatives.map(({ fileName }) => join(dirname(file), fileName)),
    );
  }
  return graph;
}

/** One cycle for each file that closes one, as the path of its imports. */
function findCycles(graph: Graph): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      cycles.push([...path.slice(at), file].map((each) => relative('packages', each)).join(' -> '));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const imported of graph.get(file) ?? []) visit(imported);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

test('no source file imports itself by way of others', () => {
  const graph = readGraph('packages/*/src/**/*.ts');
  expect(graph.get('packages/core/src/index.ts')?.length).toBeGreaterThan(10);
  expect(findCycles(graph)).toEqual([]);
});

test('a cycle is found', () => {
  const graph = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['a.ts']],
    ['d.ts', []],
  ]);
  expect(findCycles(graph)).toHaveLength(1);
});
