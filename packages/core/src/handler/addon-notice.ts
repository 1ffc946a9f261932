import { loadError } from '@ng-ssr/etag';
import { SsrError } from '../errors.ts';
import { renderThread } from '../render/workers/worker-data.ts';

let isSaid = renderThread !== undefined;

const HARMLESS =
  'This is harmless: entity tags are computed in WebAssembly, with the same result, at some microseconds ' +
  'more per page. Set NG_SSR_ETAG=js to choose WebAssembly and to turn this notice off.';

/** Reports once per process that the add-on did not load and entity tags are made in WebAssembly instead. */
export function sayAddonUnavailable(onError: (error: SsrError) => void): void {
  if (loadError === undefined || isSaid) return;
  isSaid = true;
  const message = `${firstLine(loadError.message)} ${HARMLESS}`;
  onError(new SsrError('NG_SSR_ADDON_UNAVAILABLE', message));
}

/** The other lines list the places searched, which do not help a user who deploys without the add-on. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]!;
}
