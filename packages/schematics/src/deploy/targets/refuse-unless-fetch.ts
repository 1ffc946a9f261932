import type { Deployment } from '../deployment.ts';
import { refuse } from '../../refusal.ts';

/** For platforms whose functions are `(Request) => Response`. */
export function refuseUnlessFetch(target: string, { isFetch, packageName }: Deployment): void {
  if (isFetch) return;
  throw refuse(
    'NG_SSR_OPTION_INVALID',
    `target is "${target}", which needs (Request) => Response; ${packageName} has a node:http listener.`,
    ['Run ng add @ng-ssr/fetch --framework hono first.'],
  );
}
