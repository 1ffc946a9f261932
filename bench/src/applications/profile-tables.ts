import type { ProfiledFunction, SideProfile } from './profile-application.ts';
import { OWNERS } from './profile-owner.ts';

/** A library below this part of each side's time has no row of its own. */
const OWN_ROW = 0.005;
const OTHER_LIBRARIES = 'other libraries';
const MOST_EXPENSIVE = 10;

/** Markdown: each owner's part of each side's time. */
export function ownersTable(profiles: readonly SideProfile[]): string {
  const sums = profiles.map(({ functions }) => sharesOf(functions, ({ owner }) => owner));
  const owners = [...new Set(sums.flatMap((sum) => [...sum.keys()]))];
  const rowOf = (owner: string): string =>
    owner.startsWith('library ') && sums.every((sum) => (sum.get(owner) ?? 0) < OWN_ROW)
      ? OTHER_LIBRARIES
      : owner;
  const rows = new Map(owners.map((owner) => [rowOf(owner), [] as string[]]));
  for (const owner of owners) rows.get(rowOf(owner))!.push(owner);
  const cells = [...rows.keys()].sort(byPosition).map((row) => [
    row,
    ...profiles.map(({ mainUs }, at) => {
      const share = rows.get(row)!.reduce((sum, owner) => sum + (sums[at]!.get(owner) ?? 0), 0);
      return share === 0 ? '-' : cellOf(share, mainUs);
    }),
  ]);
  const total = ['all', ...profiles.map(({ mainUs }) => cellOf(1, mainUs))];
  return markdown(['share of', ...profiles.map(({ side }) => side)], [...cells, total]);
}

/** Markdown: the functions in which a side spends most. */
export function functionsTable({ side, mainUs, functions }: SideProfile): string {
  const shares = sharesOf(functions, ({ owner, name, place }) => [name, place, owner].join('\n'));
  const rows = [...shares]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_EXPENSIVE)
    .map(([key, share]) => [...key.split('\n'), cellOf(share, mainUs)]);
  return markdown([`most expensive of ${side}`, 'place', 'owner', 'alone'], rows);
}

function sharesOf(
  functions: readonly ProfiledFunction[],
  keyOf: (one: ProfiledFunction) => string,
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const one of functions) shares.set(keyOf(one), (shares.get(keyOf(one)) ?? 0) + one.share);
  return shares;
}

/** Libraries are after the application, what is unknown is last. */
function byPosition(first: string, second: string): number {
  return positionOf(first) - positionOf(second) || first.localeCompare(second);
}

function positionOf(row: string): number {
  const order: readonly string[] = Object.values(OWNERS);
  if (row.startsWith('library ')) return order.indexOf(OWNERS.application) + 0.1;
  if (row === OTHER_LIBRARIES) return order.indexOf(OWNERS.application) + 0.2;
  return order.includes(row) ? order.indexOf(row) : order.length;
}

function cellOf(share: number, mainUs: number): string {
  return `${(share * 100).toFixed(1)}% ${((share * mainUs) / 1000).toFixed(2)} ms`;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
