import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ErrorHandler, Injector } from '@angular/core';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';

import { followErrorHandlers } from '../src/injector-contents.ts';

function findErrorHandlers(injector: Injector): ErrorHandler[] {
  const found: ErrorHandler[] = [];
  followErrorHandlers(injector, false, (handler) => found.push(handler));
  return found;
}

/** What an application's bundle contains: another copy of Angular than that of the server. */
const APPLICATION = `
  import '@angular/compiler';
  import { ErrorHandler, Injectable, Injector } from '@angular/core';

  export const made = [];
  class Service {
    _console = console;
    constructor() {
      made.push(new.target);
    }
    handleError(error) {
      this._console.error('a call has failed', error);
    }
  }
  class Handler extends Service {}
  class Own extends ErrorHandler {}
  class Injected extends Service {}
  Injectable({ providedIn: 'root' })(Injected);
  class Abstract {
    handleError() {}
  }
  const services = [
    { provide: Service },
    { provide: Injected },
    { provide: Own },
    { provide: Abstract, useClass: Service },
  ];
  const createInjector = (...handler) => Injector.create({ providers: [...services, ...handler] });

  export const withAngulars = createInjector({ provide: ErrorHandler });
  export const withOwn = createInjector({ provide: ErrorHandler, useClass: Own });
  export const withOther = createInjector({ provide: ErrorHandler, useClass: Handler });
  export const withValue = createInjector({ provide: ErrorHandler, useValue: new Handler() });
  export { ErrorHandler };
  made.length = 0;
`;

interface Application {
  readonly made: unknown[];
  readonly ErrorHandler: new () => ErrorHandler;
  readonly withAngulars: Injector;
  readonly withOwn: Injector;
  readonly withOther: Injector;
  readonly withValue: Injector;
}

/** Builds an application as the Angular CLI does, and loads it. */
async function loadApplication(minify: boolean, lowersFields: boolean): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-error-handler-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'main.server.mjs');
  await build({
    stdin: { contents: APPLICATION, resolveDir: import.meta.dirname },
    ...{ outfile, minify, bundle: true, format: 'esm', platform: 'node' },
    supported: { 'class-field': !lowersFields },
  });
  return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Application;
}

it.each([
  ['optimized', true],
  ['not optimized', false],
])(
  'the ErrorHandler of an application that is %s is found, and no service',
  async (_name, minify) => {
    // The CLI lowers class fields in applications with zone.js.
    const application = await loadApplication(minify, minify);
    const { made, ErrorHandler: Angulars, withValue } = application;
    for (const name of ['withAngulars', 'withOwn', 'withOther'] as const) {
      made.length = 0;
      const injector = application[name];
      expect([name, findErrorHandlers(injector)]).toEqual([name, [injector.get(Angulars)]]);
      expect([name, made.length]).toEqual([name, name === 'withOther' ? 1 : 0]);
    }
    made.length = 0;
    expect(findErrorHandlers(withValue)).toEqual([withValue.get(Angulars)]);
    expect(made).toEqual([]);
  },
);
