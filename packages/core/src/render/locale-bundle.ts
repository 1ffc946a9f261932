import type { RenderEngine } from '../engine.ts';

/** A server bundle of one locale that the bundle of another locale has loaded into its process. */
export interface LocaleBundle {
  /** The async context in which the loading bundle finds the render that code belongs to. */
  readonly scopes: unknown;
  /** What the bundle's `commonEngine()` has made. */
  engine: RenderEngine | undefined;
}

/** Found by its name, since each bundle contains this module. */
const NAME = Symbol.for('ng-ssr.locale-bundles');

/** The loaded bundles, by the URL of their folder, with `/` at the end. */
export const localeBundles: Map<string, LocaleBundle> = ((
  globalThis as { [NAME]?: Map<string, LocaleBundle> }
)[NAME] ??= new Map());

/** What the bundle that contains this module was loaded as; undefined for the one that was started. */
export const ownBundle: LocaleBundle | undefined =
  // Some platforms have no URL of a module.
  localeBundles.size === 0 ? undefined : localeBundles.get(new URL('.', import.meta.url).href);
