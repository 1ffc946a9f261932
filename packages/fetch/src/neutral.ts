/** The handler for platforms without Node's modules, and its engine: nothing here imports one of them. */
export * from './neutral-server.ts';
export * from '@ng-ssr/engines/neutral';
