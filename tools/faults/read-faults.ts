import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small defect of one of the packages, as a patch. */
export interface Fault {
  /** `area/name`. */
  readonly name: string;
  readonly area: string;
  readonly patch: string;
  /** What is wrong, in a sentence. */
  readonly sentence: string;
  /** The projects of vitest that a change there concerns, those that are likely to detect it first. */
  readonly projects: readonly string[];
  /** The arguments of `npm run e2e`, if nothing else can detect it. */
  readonly e2e: string | undefined;
  /** The files that the patch changes. */
  readonly files: readonly string[];
}

/** @param folder - That of the areas. */
export function readFaults(folder: string): Fault[] {
  return globSync('*/*.patch', { cwd: folder })
    .sort()
    .map((path) => readFault(folder, path));
}

function readFault(folder: string, path: string): Fault {
  const patch = join(folder, path);
  const text = readFileSync(patch, 'utf8');
  const name = path.replaceAll('\\', '/').replace(/\.patch$/, '');
  const head = text.slice(0, Math.max(0, text.indexOf('diff --git ')));
  const value = (field: string): string | undefined =>
    new RegExp(`^${field}: (.+)$`, 'm').exec(head)?.[1]?.trim();
  return {
    name,
    area: name.split('/')[0]!,
    patch,
    sentence: value('Fault') ?? '',
    projects: (value('Projects') ?? '').split(',').flatMap((project) => project.trim() || []),
    e2e: value('E2e'),
    files: [...text.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].map(([, file]) => file!),
  };
}

/** @param chosen - Areas and names, in the order in which they are tried; undefined for all. */
export function chooseFaults(faults: readonly Fault[], chosen: string | undefined): Fault[] {
  if (chosen === undefined) return [...faults];
  const found = chosen.split(',').flatMap((wanted) => {
    const those = faults.filter(({ name, area }) => name === wanted || area === wanted);
    if (those.length === 0) {
      const areas = [...new Set(faults.map(({ area }) => area))].join(', ');
      throw new Error(`--only: there is no area or fault ${wanted}; the areas are ${areas}`);
    }
    return those;
  });
  return [...new Set(found)];
}
