import type { UnitTestTree } from '@angular-devkit/schematics/testing';

/** The files of a tree and their text. */
export type Files = ReadonlyMap<string, string>;

export function filesOf(tree: UnitTestTree): Files {
  return new Map(tree.files.toSorted().map((path) => [path, tree.read(path)!.toString()]));
}

/** What a schematic did to a tree, for a person to read: new files whole, changed ones as a diff. */
export function describeChanges(before: Files, after: Files, messages: readonly string[]): string {
  const parts = messages.length === 0 ? [] : [`== says\n${messages.join('\n')}`];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) continue;
    if (now === undefined) parts.push(`== deleted ${path}`);
    else if (old === undefined) parts.push(`== created ${path}\n${now.trimEnd()}`);
    else if (path.endsWith('server.ts')) parts.push(`== rewritten ${path}\n${now.trimEnd()}`);
    else parts.push(`== changed ${path}\n${diff(lines(old), lines(now))}`);
  }
  return `${parts.length === 0 ? '== nothing' : parts.join('\n\n')}\n`;
}

const lines = (text: string): string[] => text.trimEnd().split(/\r?\n/);

/** Changed lines with two lines around them. */
function diff(old: readonly string[], now: readonly string[]): string {
  const rows = longestCommon(old, now);
  const isNear = (at: number): boolean =>
    rows.slice(Math.max(0, at - 2), at + 3).some((row) => !row.startsWith(' '));
  return rows
    .map((row, at) => (isNear(at) ? row : '  ...'))
    .filter((row, at, all) => row !== '  ...' || all[at - 1] !== row)
    .join('\n');
}

function longestCommon(old: readonly string[], now: readonly string[]): string[] {
  const length = old.map(() => new Array<number>(now.length + 1).fill(0));
  length.push(new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      length[i]![j] =
        old[i] === now[j]
          ? length[i + 1]![j + 1]! + 1
          : Math.max(length[i + 1]![j]!, length[i]![j + 1]!);
    }
  }
  const rows: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      rows.push(`  ${old[i++]}`);
      j++;
    } else if (j >= now.length || (i < old.length && length[i + 1]![j]! >= length[i]![j + 1]!)) {
      rows.push(`- ${old[i++]}`);
    } else {
      rows.push(`+ ${now[j++]}`);
    }
  }
  return rows;
}
