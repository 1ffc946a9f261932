import type { Feature } from '@ng-ssr/core';
import type { Routes } from '@ng-ssr/core/adapter';
import type { NodeListener } from '../node-listener.ts';
import { toRoutes } from './to-routes.ts';

/** A feature that calls routes of its server. It brings what reaches them: other servers have none of that code. */
export interface CallingFeature extends Feature {
  readonly toRoutes: (listener: NodeListener) => Routes;
}

export function toCallingFeature(feature: Feature): CallingFeature {
  return Object.assign(feature, { toRoutes });
}
