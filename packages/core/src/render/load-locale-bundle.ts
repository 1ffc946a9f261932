import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderEngine } from '../engine.ts';
import { SsrError } from '../errors.ts';
import { localeBundles } from './locale-bundle.ts';
import { scopesOfRenders } from './render-scope.ts';

/** What the CLI calls the server of each locale. */
export const LOCALE_PROGRAM = 'server.mjs';

/**
 * For engines: evaluates the server bundle of another locale. The handler that is created there answers nothing; its
 * engine renders for the handler of this bundle.
 *
 * @param folder - Of the bundle, absolute.
 * @throws SsrError `NG_SSR_ENGINE_NOT_BUILT` if no engine is created there.
 */
export async function loadLocaleBundle(folder: string): Promise<RenderEngine> {
  const bundle = { scopes: scopesOfRenders(), engine: undefined as RenderEngine | undefined };
  localeBundles.set(pathToFileURL(join(folder, '/')).href, bundle);
  const program = join(folder, LOCALE_PROGRAM);
  // Vite bundles this for `ng serve`, and warns of an import that it cannot resolve.
  await import(/* @vite-ignore */ pathToFileURL(program).href);
  if (bundle.engine !== undefined) return bundle.engine;
  const message = `${program} has no commonEngine(), or does not contain @ng-ssr/engines: keep it out of "externalDependencies"`;
  throw new SsrError('NG_SSR_ENGINE_NOT_BUILT', message);
}
