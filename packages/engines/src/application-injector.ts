import type { Injector, PlatformRef } from '@angular/core';
import { reportMissing } from './angular-internals.ts';
import { Slot } from './slot.ts';

type Follow = (injector: Injector) => void;

/** An injector of Angular's class, as the application's is. */
interface ChildInjector extends Injector {
  readonly parent: Injector;
  resolveInjectorInitializers?(): void;
}

/** By the injector of the platform. */
const follows = new Slot<Injector, Follow>('application');
/** Classes of injectors: each bundle has its own. */
const watched = new WeakSet<object>();

/**
 * Calls a function with the injector of the application that a platform starts: its services exist then, and no
 * component. Angular gives the application away only when its first change detection is over.
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
    follows.get(this.parent)?.(this);
  };
}
