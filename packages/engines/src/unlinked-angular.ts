import { SsrError } from '@ng-ssr/core/neutral';

/** Where Angular's packages look for the JIT compiler when no build has linked them. */
const FACADE = 'ɵcompilerFacade';

const scope = globalThis as { ng?: Record<string, unknown> };

/**
 * Without a build, importing Angular throws an error about its JIT compiler, before any engine is created. The entries
 * import this module first, so the error names the fix instead. A program that imports `@angular/compiler` is not affected.
 */
function explainUnlinked(): void {
  const ng = (scope.ng ??= {});
  if (FACADE in ng) return;
  Object.defineProperty(ng, FACADE, {
    configurable: true,
    enumerable: true,
    get: () => {
      throw new SsrError(
        'NG_SSR_ENGINE_NOT_BUILT',
        'this program was started without a build, and Angular does not run unbuilt. Run "npx ng build", then ' +
          'start the built server: node dist/<project>/server/server.mjs. While you develop, run "npx ng serve"',
      );
    },
    set: (value: unknown) => {
      Object.defineProperty(ng, FACADE, { value, configurable: true, writable: true });
    },
  });
}

explainUnlinked();
