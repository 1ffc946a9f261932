/** One locale of a localized build. */
export interface BuiltLocale {
  readonly locale: string;
  /** Its folder below the browser folder, without slashes; empty for the browser folder itself. */
  readonly folder: string;
  /** The base href of its documents, with `/` at both ends. */
  readonly baseHref: string;
  /** Whether hosts of its own have its pages at their root: no path on other hosts leads to it. */
  readonly hasHosts: boolean;
}

/** The locales of a localized build, and where their pages are. */
export class BuiltLocales {
  readonly all: readonly BuiltLocale[];
  /** The base href of the build, above the folders of the locales. */
  readonly baseHref: string;
  readonly #byFolder: ReadonlyMap<string, BuiltLocale>;

  constructor(all: readonly BuiltLocale[]) {
    this.all = all;
    this.baseHref = baseHrefOf(all);
    this.#byFolder = new Map(
      all.filter(({ hasHosts }) => !hasHosts).map((locale) => [locale.folder, locale]),
    );
  }

  named(locale: string | undefined): BuiltLocale | undefined {
    return this.all.find((each) => each.locale === locale);
  }

  /** The locale that has all paths without the folder of another one, if the build has such. */
  get ofRoot(): BuiltLocale | undefined {
    return this.#byFolder.get('');
  }

  /** The locale whose folder a path begins with, in the one spelling that Angular's engine takes. */
  ofPath(path: string): BuiltLocale | undefined {
    const { baseHref } = this;
    if (!path.startsWith(baseHref)) return undefined;
    const end = path.indexOf('/', baseHref.length);
    const first = path.slice(baseHref.length, end === -1 ? undefined : end);
    return first === '' ? undefined : this.#byFolder.get(first);
  }

  /** Whether a locale has a folder, and documents for the root of a host: their base href has no folder. */
  isForRoot({ folder, baseHref }: BuiltLocale): boolean {
    return folder !== '' && baseHref === this.baseHref;
  }

  /** The folders in paths, below which each locale has its own pages. */
  get folders(): readonly string[] {
    return [...this.#byFolder.keys()].filter((folder) => folder !== '');
  }
}

/** The name, in the index of files, of what the hosts of a locale have at their root: no path begins so. */
export function siteOf({ folder, hasHosts }: BuiltLocale): string {
  return hasHosts ? `${folder}:` : '';
}

function baseHrefOf(locales: readonly BuiltLocale[]): string {
  const [first] = locales;
  for (const { folder, baseHref } of locales) {
    if (folder === '') return baseHref;
    if (baseHref.endsWith(`/${folder}/`)) return baseHref.slice(0, -folder.length - 1);
  }
  return first?.baseHref ?? '/';
}
