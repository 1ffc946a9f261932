import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFaults } from '../faults/read-faults.ts';
import { projectNames } from '../faults/project-names.ts';
import { readResults } from '../faults/results.ts';

const root = join(import.meta.dirname, '../..');
const faults = readFaults(join(import.meta.dirname, 'faults'));

test('each part of the code that most requests go through has at least ten faults', () => {
  const count = (area: string): number => faults.filter((fault) => fault.area === area).length;
  for (const area of ['core', 'node', 'koa', 'fetch']) {
    expect(count(area), area).toBeGreaterThanOrEqual(10);
  }
  expect(count('engines') + count('dom') + count('stores')).toBeGreaterThanOrEqual(6);
  expect(faults.length).toBeGreaterThanOrEqual(45);
});

test.each(faults)('$name says what is wrong and which projects it concerns', (fault) => {
  expect(fault.sentence).toMatch(/^\S.*\.$/);
  expect(fault.projects).not.toEqual([]);
  expect(projectNames(root)).toEqual(expect.arrayContaining([...fault.projects]));
  expect(fault.files).not.toEqual([]);
  for (const file of fault.files) expect(existsSync(join(root, file)), file).toBe(true);
});

test('every fault can be planted', () => {
  const failed = faults.flatMap(({ name, patch }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', patch], {
      cwd: root,
      encoding: 'utf8',
    });
    return status === 0 ? [] : [`${name}: ${stderr}`];
  });
  expect(failed, 'write the patch anew, from the source as it is').toEqual([]);
});

test('specs.json names faults and specs that exist', () => {
  const file = join(import.meta.dirname, 'faults/specs.json');
  const names = faults.map(({ name }) => name);
  for (const { name, spec } of readResults(file).values()) {
    expect(names, 'remove the entry of a fault that is gone').toContain(name);
    expect(existsSync(join(root, spec!)), spec).toBe(true);
  }
});
