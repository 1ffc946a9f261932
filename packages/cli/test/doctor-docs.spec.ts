import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CHECKS = join(import.meta.dirname, '../src/doctor/checks');
const PAGE = join(import.meta.dirname, '../../../docs/doctor.md');

test('every finding has a section in docs/doctor.md, and every section a finding', () => {
  const sources = readdirSync(CHECKS).map((name) => readFileSync(join(CHECKS, name), 'utf8'));
  const ids = sources.flatMap((text) => [...text.matchAll(/\bid: '([\w-]+)'|', '(pack-\w+)'\]/g)]);
  const sections = readFileSync(PAGE, 'utf8').matchAll(/^### ([\w-]+)$/gm);
  const named = ids.map(([, id, other]) => id ?? other!);
  expect([...sections].map(([, id]) => id!).toSorted()).toEqual([...new Set(named)].toSorted());
});
