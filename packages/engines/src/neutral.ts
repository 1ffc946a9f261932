// First: without a build, the imports below fail.
import './unlinked-angular.ts';
/** The engine for platforms without Node's modules. */
export { angularAppEngine, type AngularAppEngineOptions } from './angular-app-engine.ts';
export { type IslandOptions, renderIsland } from './render-island.ts';
