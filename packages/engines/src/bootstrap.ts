import { ApplicationRef, type NgModuleRef, type Type } from '@angular/core';
import type { BootstrapContext } from '@angular/platform-browser';

/** Starts the application on the server platform of one render. */
export type BootstrapFunction = (context: BootstrapContext) => Promise<ApplicationRef>;

/** What `main.server.ts` exports: a function around `bootstrapApplication`, or a root NgModule. */
export type ServerBootstrap = BootstrapFunction | Type<unknown>;

/**
 * One shape for both kinds of application, so that a render always passes through a function that
 * sees the ApplicationRef. Angular marks compiled modules with a static `ɵmod`.
 */
export function toBootstrapFunction(bootstrap: ServerBootstrap): BootstrapFunction {
  if (!isNgModule(bootstrap)) return bootstrap;
  return async ({ platformRef }) => {
    const module: NgModuleRef<unknown> = await platformRef.bootstrapModule(bootstrap);
    return module.injector.get(ApplicationRef);
  };
}

function isNgModule(bootstrap: ServerBootstrap): bootstrap is Type<unknown> {
  return 'ɵmod' in bootstrap;
}
