import { loadError } from '@ng-ssr/etag';
import { SsrError } from '../errors.ts';
import { ownBundle } from '../render/locale-bundle.ts';
import { renderThread } from '../render-thread.ts';
import { serverThread } from '../server-thread.ts';

/** Of a reason that the loader of the system gives. */
const MOST_REASON = 100;

/** The main thread says it for all, and one bundle for those of all locales. */
let isSaid = renderThread !== undefined || serverThread !== undefined || ownBundle !== undefined;

/** Reports once per process that ETags are made in WebAssembly, because the addon did not load. */
export function sayAddonUnavailable(onError: (error: SsrError) => void): void {
  if (loadError === undefined || isSaid) return;
  isSaid = true;
  onError(noticeOfAddon()!);
}

/** @returns undefined if the addon is in use, and where NG_SSR_ETAG=js chooses WebAssembly. */
export function noticeOfAddon(): SsrError | undefined {
  if (loadError === undefined) return undefined;
  const message =
    `${reasonOf(loadError)}, so WebAssembly computes the ETags, some microseconds slower. ${adviceOn(loadError)} ` +
    'NG_SSR_ETAG=js to turn this notice off.';
  return new SsrError('NG_SSR_ADDON_UNAVAILABLE', message);
}

/** The package has the addons of all platforms that there are, and no sources to build another one. */
function hasNoAddon({ cause }: Error): boolean {
  return cause instanceof Error && cause.message.startsWith('No native build was found');
}

function adviceOn(error: Error): string {
  return hasNoAddon(error)
    ? 'No action is needed; set'
    : 'Run "npm install @ng-ssr/etag" where the server runs, or set';
}

function reasonOf(error: Error): string {
  const { cause, message } = error;
  const { code, message: reason } = (cause ?? { message }) as NodeJS.ErrnoException;
  if (code === 'MODULE_NOT_FOUND') return 'The addon of @ng-ssr/etag is not installed here';
  if (hasNoAddon(error)) {
    return `@ng-ssr/etag has no addon for ${process.platform}-${process.arch}`;
  }
  const line = reason.split('\n', 1)[0]!.slice(0, MOST_REASON);
  return `The addon of @ng-ssr/etag does not load (${line})`;
}
