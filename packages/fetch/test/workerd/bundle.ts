import { build, type Metafile } from 'esbuild';

/** A program for a platform without Node's modules. */
export interface NeutralBundle {
  readonly code: string;
  readonly metafile: Metafile;
}

/**
 * Bundles as the Angular CLI does with `"ssr": { "platform": "neutral" }`.
 *
 * @param given.stdin - A program, in place of `entry`.
 * @throws Error for an import that cannot be resolved: every one of a module of Node's.
 */
export async function bundleNeutral(given: {
  readonly entry?: string;
  readonly stdin?: string;
  readonly alias?: Readonly<Record<string, string>>;
  /** Default: no module of Node's. */
  readonly external?: readonly string[];
}): Promise<NeutralBundle> {
  const { outputFiles, metafile } = await build({
    ...(given.entry === undefined
      ? { stdin: { contents: given.stdin ?? '', resolveDir: import.meta.dirname } }
      : { entryPoints: [given.entry] }),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['es2020', 'es2015', 'module', 'main'],
    conditions: ['es2020', 'es2015', 'module', 'production'],
    alias: { ...given.alias },
    // As the CLI does: a dependency of Angular's, which it never loads here. The others are written beside it.
    external: ['xhr2', './parameters.js', './build-manifest.mjs', ...(given.external ?? [])],
    logLevel: 'silent',
  });
  return { code: outputFiles[0]!.text, metafile };
}
