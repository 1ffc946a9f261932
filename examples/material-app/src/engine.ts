import { appEngine } from '@ng-ssr/engines';

/** The engine of this build; the build of the project `common` puts engine.common.ts in its place. */
export const engine = appEngine();
