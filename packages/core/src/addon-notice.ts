import { loadError } from '@ng-ssr/etag';
import { SsrError } from './errors.ts';
import { renderThread } from './render/workers/worker-data.ts';

let isSaid = renderThread !== undefined;

/** Says once per process that entity tags come from the twin although nobody asked for it. */
export function sayAddonUnavailable(onError: (error: SsrError) => void): void {
  if (loadError === undefined || isSaid) return;
  isSaid = true;
  onError(new SsrError('NG_SSR_ADDON_UNAVAILABLE', firstLine(loadError.message)));
}

/** Where it was looked for is of no use to somebody who deploys without it. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]!;
}
