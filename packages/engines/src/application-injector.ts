import type { Injector, PlatformRef } from '@angular/core';
import { reportMissing } from './angular-internals.ts';
import { Slot } from './slot.ts';

/** @param isOfRoute - Whether it is the injector of a route with providers, below that of the application. */
type Follow = (injector: Injector, isOfRoute: boolean) => void;

/** An injector of Angular's class, as the application's is. */
interface ChildInjector extends Injector {
  readonly parent?: ChildInjector;
  resolveInjectorInitializers?(): void;
}

/** By the injector of the platform. */
const follows = new Slot<Injector, Follow>('application');
/** Classes of injectors: each bundle has its own. */
const watched = new WeakSet<object>();

/**
 * Calls a function with the injector of the application that a platform starts, and with those of its routes: their
 * services exist then, and no component. Angular gives the application away only when its first change detection is over.
 */
export function followInjector({ injector }: PlatformRef, follow: Follow): void {
  follows.set(injector, follow);
  const prototype = Object.getPrototypeOf(injector) as ChildInjector;
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const initialize = prototype.resolveInjectorInitializers;
  if (initialize === undefined) return reportMissing('R3Injector#resolveInjectorInitializers');
  prototype.resolveInjectorInitializers = function () {
    initialize.call(this);
    let isOfRoute = false;
    for (let above = this.parent; above !== undefined; above = above.parent) {
      const follow = follows.get(above);
      if (follow !== undefined) return follow(this, isOfRoute);
      isOfRoute = true;
    }
  };
}
