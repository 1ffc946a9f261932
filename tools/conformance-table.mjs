/** Prints adapter x lane x cases passed, from what the conformance runs have left in a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function printConformance(folder) {
  const rows = readdirSync(folder)
    .filter((name) => name.startsWith('conformance-') && name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((a, b) => `${a.adapter} ${a.lane}`.localeCompare(`${b.adapter} ${b.lane}`));
  if (rows.length === 0) return;
  console.log('\nConformance      lane       passed  expected failures  failed');
  for (const { adapter, lane, passed, expectedFailures, failed } of rows) {
    console.log(
      adapter.padEnd(16),
      lane.padEnd(10),
      String(passed).padStart(6),
      String(expectedFailures).padStart(18),
      String(failed).padStart(7),
    );
  }
  console.log();
}
