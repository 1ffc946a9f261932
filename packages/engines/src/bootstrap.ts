import type { ApplicationRef, Type } from '@angular/core';
import type { BootstrapContext } from '@angular/platform-browser';
import { findApplicationRef } from './injector-contents.ts';

/** Starts the application on the server platform of one render. */
export type BootstrapFunction = (context: BootstrapContext) => Promise<ApplicationRef>;

/** The export of `main.server.ts`: a function around `bootstrapApplication`, or a root NgModule. */
export type ServerBootstrap = BootstrapFunction | Type<unknown>;

/**
 * Makes a bootstrap function of both kinds of application, so that each render has access to the
 * ApplicationRef. Angular marks compiled modules with a static `ɵmod`.
 */
export function toBootstrapFunction(bootstrap: ServerBootstrap): BootstrapFunction {
  if (!isNgModule(bootstrap)) return bootstrap;
  return async ({ platformRef }) => {
    const { injector } = await platformRef.bootstrapModule(bootstrap);
    const app = findApplicationRef(injector);
    if (app === undefined) throw new Error('The bootstrapped NgModule has no ApplicationRef.');
    return app;
  };
}

function isNgModule(bootstrap: ServerBootstrap): bootstrap is Type<unknown> {
  return 'ɵmod' in bootstrap;
}
