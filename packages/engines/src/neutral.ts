/** The engine for platforms without Node's modules. */
export { angularAppEngine, type AngularAppEngineOptions } from './angular-app-engine.ts';
