import type { RenderEngine } from '@ng-ssr/core';
import { page, STYLES } from './built-site.ts';
import { TIME_ROUTE } from './servers.ts';

const STORED = 'public, s-maxage=60, stale-while-revalidate=60';

/** By the first segment of the path: what the application says about storing the page. */
const CACHE_CONTROL: Readonly<Record<string, string | undefined>> = {
  stored: STORED,
  private: 'private, no-cache',
  slow: 'private, no-cache',
  linked: 'private, no-cache',
  calling: 'private, no-cache',
};

/** Before the segment that says how a render ends. */
const LOCALE = /^\/(en|fr)(?=\/)/;

/** An engine without Angular: the first segment of a path, after that of a locale, says how its render ends. */
export interface StubEngine extends RenderEngine {
  /** Lets renders below `/slow` end; until then they do not. */
  release(): void;
}

export function createStubEngine(traits: Pick<RenderEngine, 'locales'> = {}): StubEngine {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const render = async ({ url }: Request): Promise<Response | null> => {
    const { pathname } = new URL(url);
    const [, kind = ''] = pathname.replace(LOCALE, '').split('/');
    if (kind === 'calling') await (await fetch(TIME_ROUTE)).text();
    if (kind === 'slow') await released;
    if (kind === 'nowhere') return null;
    const headers = new Headers({ 'Content-Type': 'text/html; charset=utf-8' });
    const cacheControl = CACHE_CONTROL[kind];
    if (cacheControl !== undefined) headers.set('Cache-Control', cacheControl);
    return new Response(page(pathname, kind === 'linked' ? STYLES : ''), { headers });
  };
  return Object.assign(render, { release, ...traits });
}
