// First: without a build, the imports below fail.
import './unlinked-angular.ts';
export { appEngine, type AppEngineOptions } from './app-engine.ts';
export type { BootstrapFunction, ServerBootstrap } from './bootstrap.ts';
export { commonEngine, type CommonEngineOptions } from './common-engine.ts';
export type { EngineOptions } from './engine-options.ts';
export { type IslandOptions, renderIsland } from './render-island.ts';
