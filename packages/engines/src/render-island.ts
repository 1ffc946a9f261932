import {
  createComponent,
  DOCUMENT,
  type EnvironmentProviders,
  ErrorHandler,
  type Provider,
  type Type,
} from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';

/** How the component of an island is rendered. */
export interface IslandOptions {
  /**
   * What the component injects, as `provideRouter([])` for a `routerLink`. The HTML is cached: it must depend on nothing but
   * the data. Default: none.
   */
  readonly providers?: readonly (EnvironmentProviders | Provider)[] | undefined;
  /** Characters of data and HTML that are cached. 0 caches none. Default: 1,000,000. */
  readonly maxCachedCharacters?: number | undefined;
}

const MOST_CACHED = 1_000_000;

/**
 * Renders a component with the data of a slot, for `html` of `withSlots()`: its `slot()` has the data. The component is
 * rendered alone and without inputs, and its HTML is cached by the data.
 *
 * @param component - A standalone component.
 * @returns a function that rejects if the component throws.
 * @example
 * ```ts
 * withSlots({ cart: { fill: (request) => cartOf(request), html: renderIsland(Cart) } })
 * ```
 */
export function renderIsland(
  component: Type<unknown>,
  options: IslandOptions = {},
): (data: unknown, request: Request, context: { readonly slot: string }) => Promise<string> {
  const { providers = [], maxCachedCharacters = MOST_CACHED } = options;
  const rendered = new Rendered(maxCachedCharacters);
  return (data, _request, { slot }) => {
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    return rendered.get(`${slot} ${json}`, () => render(component, providers, slot, json));
  };
}

/**
 * The document tells `slot()` of `@ng-ssr/angular` that the component is rendered alone, and has the data as the document
 * of a browser has it.
 */
const documentOf = (slot: string, json: string): string =>
  '<!doctype html><html data-ng-ssr-island=""><head></head><body><ng-ssr-island></ng-ssr-island>' +
  `<script type="application/json" data-ng-ssr-slot="${slot}">${json}\n</script></body></html>`;

async function render(
  component: Type<unknown>,
  providers: readonly (EnvironmentProviders | Provider)[],
  slot: string,
  json: string,
): Promise<string> {
  let html = '';
  const errors: unknown[] = [];
  const handler = { handleError: (error: unknown): void => void errors.push(error) };
  await renderApplication(
    async (context) => {
      const handling = { provide: ErrorHandler, useValue: handler };
      const all = [provideServerRendering(), ...providers, handling];
      const app = await createApplication({ providers: all }, context);
      const host = app.injector.get(DOCUMENT).querySelector('ng-ssr-island')!;
      const options = { environmentInjector: app.injector, hostElement: host };
      app.attachView(createComponent(component, options).hostView);
      app.tick();
      await app.whenStable();
      html = host.innerHTML;
      return app;
    },
    { document: documentOf(slot, json) },
  );
  if (errors.length > 0) throw errors[0];
  return html;
}

/** The HTML of renders, the last used last, and renders that run. */
class Rendered {
  readonly #most: number;
  readonly #pages = new Map<string, string>();
  readonly #running = new Map<string, Promise<string>>();
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Promise<string>): Promise<string> {
    const html = this.#pages.get(key);
    if (html !== undefined) {
      this.#pages.delete(key);
      this.#pages.set(key, html);
      return Promise.resolve(html);
    }
    let running = this.#running.get(key);
    if (running === undefined) {
      running = make().finally(() => this.#running.delete(key));
      this.#running.set(key, running);
      running.then((made) => this.#keep(key, made)).catch(() => undefined);
    }
    return running;
  }

  #keep(key: string, html: string): void {
    if (key.length + html.length > this.#most) return;
    this.#pages.set(key, html);
    this.#characters += key.length + html.length;
    for (const [oldest, page] of this.#pages) {
      if (this.#characters <= this.#most) return;
      this.#pages.delete(oldest);
      this.#characters -= oldest.length + page.length;
    }
  }
}
