/** The server of the build for platforms without Node's modules: `ng build app -c production,neutral`. */
import { angularAppEngine, createNeutralSsrHandler } from '@ng-ssr/fetch/neutral';
import { LANGUAGES } from './app/shared/languages';

/** The bindings of the Worker. */
interface Environment {
  readonly ASSETS: { fetch(request: Request): Promise<Response> };
}

export const reqHandler = createNeutralSsrHandler<[Environment, unknown]>({
  engine: angularAppEngine(),
  assets: (request, { ASSETS }) => ASSETS.fetch(request),
  cache: { languages: LANGUAGES },
});
