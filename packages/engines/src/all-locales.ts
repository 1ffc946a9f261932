import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EngineSetup, type RenderEngine, SsrError } from '@ng-ssr/core';
import {
  type BuiltLocale,
  type BuiltLocales,
  loadLocaleBundle,
  LocalePreference,
  readBuiltLocales,
} from '@ng-ssr/core/adapter';
import { localeOfHost } from './locale-engines.ts';

/** What the CLI writes into the server folder of each locale, and beside them the folder of each. */
const PROGRAM = 'server.mjs';
const MANIFEST = 'angular-app-engine-manifest.mjs';

/** The server and browser folders of a localized build. */
interface LocalizedBuild {
  readonly serverFolder: string;
  readonly browserFolder: string;
  /** The folder of each locale, in both. */
  readonly folders: Readonly<Record<string, string>>;
}

/**
 * Finds the bundles of all locales of a build.
 *
 * @param own - The folder of the bundle that runs.
 * @returns undefined for a build with one bundle, and where there is none (`ng serve`).
 * @throws SsrError NG_SSR_ANGULAR_CHANGED
 */
function findBuild(own: string): LocalizedBuild | undefined {
  const serverFolder = [own, dirname(own)].find((folder) => existsSync(join(folder, MANIFEST)));
  if (serverFolder === undefined) return undefined;
  const text = readFileSync(join(serverFolder, MANIFEST), 'utf8');
  const [, supported] = /supportedLocales:\s*(\{[^}]*\})/.exec(text) ?? [];
  if (supported === undefined) {
    const message = `allLocales: ${join(serverFolder, MANIFEST)} has no supportedLocales. Update @ng-ssr/engines.`;
    throw new SsrError('NG_SSR_ANGULAR_CHANGED', message);
  }
  const all = Object.entries(JSON.parse(supported) as Record<string, string>);
  const built = all.filter(([, folder]) => existsSync(join(serverFolder, folder, PROGRAM)));
  if (built.length < 2) return undefined;
  const folders = Object.fromEntries(built);
  return { serverFolder, browserFolder: join(serverFolder, '../browser'), folders };
}

/**
 * The engine of a build with a server bundle for each locale: it loads all of them, and renders each page in that of
 * its locale. As Angular's own engine it redirects the base path by Accept-Language.
 *
 * @param own - The engine of the bundle that runs.
 * @returns undefined for a build with one bundle.
 */
export function allLocalesEngine(own: RenderEngine): RenderEngine | undefined {
  const engine = engineOfLocales(own, (found) => found);
  return (
    engine &&
    Object.assign(engine, {
      compared: (isFast: boolean) => {
        const inOneWay = (found: RenderEngine): RenderEngine => found.compared?.(isFast) ?? found;
        return engineOfLocales(inOneWay(own), inOneWay)!;
      },
    })
  );
}

/** @param choose - Makes the engine of another bundle what this one is. */
function engineOfLocales(
  own: RenderEngine,
  choose: (engine: RenderEngine) => RenderEngine,
): RenderEngine | undefined {
  const ownFolder = dirname(fileURLToPath(import.meta.url));
  const build = findBuild(ownFolder);
  if (build === undefined) return undefined;
  const { browserFolder, folders, serverFolder } = build;
  let locales: BuiltLocales | undefined;
  let preference: LocalePreference | undefined;
  let setup: EngineSetup | undefined;
  const engines = new Map<string, Promise<RenderEngine>>();
  let loaded: Promise<unknown> = Promise.resolve();

  const setUp = (engine: RenderEngine, folder: string): RenderEngine => {
    engine.setup?.({
      ...setup!,
      browserFolder: join(setup!.browserFolder ?? browserFolder, folder),
    });
    return engine;
  };
  const load = async (folder: string): Promise<RenderEngine> => {
    const bundle = join(serverFolder, folder);
    return setUp(bundle === ownFolder ? own : choose(await loadLocaleBundle(bundle)), folder);
  };
  /** One after the other: each bundle sets globals of the process as it starts. */
  const engineOf = (folder: string): Promise<RenderEngine> => {
    let engine = engines.get(folder);
    if (engine === undefined) {
      engine = loaded.then(() => load(folder));
      loaded = engine.catch(() => undefined);
      engines.set(folder, engine);
    }
    return engine;
  };

  return Object.assign(
    (async (request, requestContext) => {
      const locale = setup?.hostLocales && localeOfHost(setup.hostLocales, request);
      const { pathname } = new URL(request.url);
      const found =
        locale === undefined
          ? (locales?.ofPath(pathname) ?? locales?.ofRoot)
          : locales?.named(locale);
      if (found !== undefined) return (await engineOf(found.folder))(request, requestContext);
      if (locales === undefined || pathname !== locales.baseHref) return null;
      const header = request.headers.get('accept-language');
      const preferred =
        (header === null ? undefined : preference!.accepted(header)) ?? locales.all[0]!;
      return redirectTo(preferred, locales, request);
    }) satisfies RenderEngine,
    {
      failOnError: own.failOnError,
      allowedHosts: () => own.allowedHosts?.() ?? [],
      browserFolder: () => browserFolder,
      locales: () => folders,
      setup: (given: EngineSetup) => {
        setup = given;
        locales = readBuiltLocales(given.browserFolder ?? browserFolder, folders);
        preference = new LocalePreference(locales?.all ?? []);
      },
      load: async () => {
        for (const folder of Object.values(folders)) await engineOf(folder);
      },
    },
  );
}

function redirectTo(
  { folder }: BuiltLocale,
  { baseHref }: BuiltLocales,
  request: Request,
): Response {
  const prefix = request.headers.get('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  const headers = {
    Location: `${prefix}${baseHref}${folder}`,
    Vary: 'X-Forwarded-Prefix, Accept-Language',
  };
  return new Response(null, { status: 302, headers });
}
