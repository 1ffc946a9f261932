import { ErrorHandler, type Provider } from '@angular/core';
import type { BootstrapContext } from '@angular/platform-browser';
import type { SsrError } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine, type EngineOptions } from '../src/index.ts';
import { bootstrapWith } from './fixture/failing-app.ts';
import { document } from './fixture/document.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

let provider: Provider;
const bootstrap = (context: BootstrapContext) => bootstrapWith([provider])(context);
setManifests(bootstrap);

const browserFolder = writeBuildFolder(document);

beforeEach(() => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const handled: string[] = [];
const note = (error: unknown): void => void handled.push((error as Error).message);

class Own {
  readonly #note = note;
  handleError(error: unknown): void {
    this.#note(error);
  }
}
class Frozen extends Own {
  constructor() {
    super();
    Object.freeze(this);
  }
}
class WithGetter {
  get handleError() {
    return note;
  }
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  'of a class': { provide: ErrorHandler, useClass: Own },
  // As the documentation of Sentry has it.
  'that all pages share': { provide: ErrorHandler, useValue: new Own() },
  'of a factory': { provide: ErrorHandler, useFactory: () => ({ handleError: note }) },
  'of another token': [Own, { provide: ErrorHandler, useExisting: Own }],
  'that is frozen': { provide: ErrorHandler, useClass: Frozen },
  'that is frozen and shared': { provide: ErrorHandler, useValue: new Frozen() },
  'with a getter': { provide: ErrorHandler, useClass: WithGetter },
  'without a prototype': {
    provide: ErrorHandler,
    useValue: Object.assign(Object.create(null), { handleError: note }),
  },
};

function serve(
  engine: (options: EngineOptions) => ReturnType<typeof appEngine>,
  failOnError = false,
) {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: engine({ failOnError }),
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder },
    routeRules: { '/**': { sMaxAge: 60 } },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => handler.close());
  const get = async (path: string) => {
    const exchange = plainExchange(path, { host: 'shop.example' });
    const { status, headers = [] } = (handler.answer(exchange) ??
      (await handler.render(exchange)))!;
    const at = headers.findIndex((name) => name.toLowerCase() === 'cache-control');
    return [status, headers[at + 1]];
  };
  return { get, errors };
}

describe.each([
  ['appEngine', appEngine],
  ['commonEngine', (options: EngineOptions) => commonEngine({ ...options, bootstrap })],
])('with %s', (_name, engine) => {
  it.each(Object.entries(PROVIDERS))(
    'errors of a handler %s are those of their page',
    async (_, own) => {
      provider = own;
      handled.length = 0;
      const { get, errors } = serve(engine);
      // At the same time.
      const [fine, template, init] = await Promise.all([
        get('/fine'),
        get('/template'),
        get('/init'),
      ]);
      expect(fine).toEqual([200, 'public, max-age=0, s-maxage=60']);
      expect(template).toEqual([200, 'no-store']);
      expect(init).toEqual([200, 'no-store']);
      expect(await get('/effect')).toEqual([200, 'no-store']);
      const messages = ['boom in a template', 'boom in an effect', 'boom in ngOnInit'];
      expect([...handled].sort()).toEqual(messages);
      expect(errors.map(({ cause }) => (cause as Error).message).sort()).toEqual(messages);
    },
  );

  it('errors of a handler that a route provides are those of their page', async () => {
    provider = { provide: ErrorHandler, useClass: Own };
    handled.length = 0;
    const { get, errors } = serve(engine);
    expect(await get('/own-handler')).toEqual([200, 'no-store']);
    expect(handled).toEqual([]);
    expect(errors.map(({ cause }) => (cause as Error).message)).toEqual(['given in a route']);
  });

  it.each(Object.entries(PROVIDERS))(
    'errors of a handler %s fail their page with failOnError',
    async (_, own) => {
      provider = own;
      const { get } = serve(engine, true);
      const answers = await Promise.all([get('/fine'), get('/template'), get('/init')]);
      expect(answers.map(([status]) => status)).toEqual([200, 500, 500]);
    },
  );
});
