import { appEngine } from '@ng-ssr/engines';
import { fast } from './render';

/** The engine of this build; the build of the project `common` puts engine.common.ts in its place. */
export const engine = appEngine({ fast });
