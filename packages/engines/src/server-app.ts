import type { AngularNodeAppEngine } from '@angular/ssr/node';
import { toBootstrapFunction, type ServerBootstrap } from './bootstrap.ts';
import { findErrorHandlers, findValue } from './injector-contents.ts';
import { RenderErrors } from './render-errors.ts';

/**
 * The parts of AngularNodeAppEngine that Angular keeps to itself. Each is read as if it might be
 * absent: without them pages are still served, as Angular alone would serve them.
 */
interface AppEngineInternals {
  readonly angularAppEngine?: {
    readonly allowedHosts?: Iterable<string>;
    getAngularServerAppForRequest?(request: Request): Promise<ServerApp | null>;
  };
}

interface ServerApp {
  readonly manifest?: { bootstrap?: () => Promise<ServerBootstrap> };
}

const watchedManifests = new WeakSet<object>();
const errorsOfRequest = new WeakMap<Request, RenderErrors>();

/** The hosts of `security.allowedHosts` in angular.json together with those the engine was given. */
export function readAllowedHosts(engine: AngularNodeAppEngine): readonly string[] {
  return [...((engine as unknown as AppEngineInternals).angularAppEngine?.allowedHosts ?? [])];
}

/**
 * Follows the errors of the render that `request` is about to cause. Applications are found per
 * request because each locale is one, loaded when it is first asked for, and because `ng serve`
 * makes a new one after each change.
 */
export async function watchRender(
  engine: AngularNodeAppEngine,
  request: Request,
): Promise<RenderErrors> {
  const app = await (
    engine as unknown as AppEngineInternals
  ).angularAppEngine?.getAngularServerAppForRequest?.(request);
  const manifest = app?.manifest;
  if (manifest !== undefined && !watchedManifests.has(manifest)) {
    watchedManifests.add(manifest);
    watchBootstrap(manifest);
  }
  const errors = new RenderErrors();
  errorsOfRequest.set(request, errors);
  return errors;
}

function watchBootstrap(manifest: NonNullable<ServerApp['manifest']>): void {
  const load = manifest.bootstrap;
  if (load === undefined) return;
  manifest.bootstrap = async () => {
    const bootstrap = toBootstrapFunction(await load());
    return async (context) => {
      const app = await bootstrap(context);
      const errors = findValue(context.platformRef.injector, errorsOf);
      if (errors !== undefined) findErrorHandlers(app.injector).forEach((h) => errors.follow(h));
      return app;
    };
  };
}

/** The errors of the request that Angular provides as REQUEST. */
function errorsOf(value: object): RenderErrors | undefined {
  return value instanceof Request ? errorsOfRequest.get(value) : undefined;
}
