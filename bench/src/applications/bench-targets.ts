/** What is read and changed of an angular.json. */
export interface Workspace {
  readonly projects: Readonly<Record<string, Project>>;
}

type BuildOptions = Readonly<Record<string, unknown>>;

interface Target {
  readonly builder: string;
  readonly options?: BuildOptions;
  readonly configurations?: Readonly<Record<string, BuildOptions>>;
}

interface Project {
  readonly architect: Record<string, Target>;
}

/** Each engine has a build of its own, as in real applications: one of both has all code twice. */
const ENGINES: Readonly<Record<string, BuildOptions>> = {
  app: { outputMode: 'server', ssr: { entry: 'src/bench-sides/app.ts' } },
  common: { ssr: { entry: 'src/bench-sides/pages.common.ts' } },
};

/**
 * The targets that build a project for each engine, with its options for production.
 *
 * @param tsConfig - Of these builds.
 */
export function benchTargets(
  { architect }: Project,
  tsConfig: string,
): Readonly<Record<string, Target>> {
  const { options, configurations } = architect['build']!;
  const targets = Object.entries(ENGINES).map(([engine, own]) => {
    const all = {
      ...options,
      ...configurations?.['production'],
      outputPath: `dist/bench/${engine}`,
      server: 'src/main.server.ts',
      tsConfig,
      security: { allowedHosts: ['localhost'] },
      budgets: [],
      // Not a part of a render.
      serviceWorker: false,
      // For profiles. Hidden, the scripts are the same without them.
      sourceMap: { scripts: true, styles: false, hidden: true },
      ...own,
    };
    return [`bench-${engine}`, { builder: '@angular/build:application', options: all }];
  });
  return Object.fromEntries(targets) as Record<string, Target>;
}

/** The TypeScript settings of these builds, which have more entries than that of the browser. */
export function benchTsConfig({ architect }: Project): object {
  const { tsConfig, browser, polyfills = [] } = architect['build']!.options!;
  const entries = [browser, ...(polyfills as string[])] as string[];
  return {
    extends: `./${tsConfig as string}`,
    compilerOptions: {
      types: ['node'],
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      skipLibCheck: true,
    },
    files: [
      ...entries.filter((entry) => entry.endsWith('.ts')),
      'src/main.server.ts',
      'src/bench-sides/app.ts',
      'src/bench-sides/pages.common.ts',
    ],
    include: ['src/**/*.d.ts'],
  };
}
