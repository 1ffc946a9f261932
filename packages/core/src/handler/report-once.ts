import type { SsrError, SsrErrorCode } from '../errors.ts';
import { channelOf } from '../telemetry/channels.ts';

/** What a server reports of itself, and of no request that failed: operators see these in the inspector. */
const NOTICES: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_FAST_LEFT',
  'NG_SSR_ANGULAR_CHANGED',
  'NG_SSR_CALL_NOTICE',
]);
const notices = channelOf('ng-ssr:notice');

/** Passes each error on once, even if several requests fail with it. */
export function reportOnce(onError: (error: SsrError) => void): (error: SsrError) => void {
  const reported = new WeakSet<SsrError>();
  return (error) => {
    if (reported.has(error)) return;
    reported.add(error);
    const { code, message } = error;
    if (notices.hasSubscribers && NOTICES.has(code)) notices.publish({ code, message });
    onError(error);
  };
}
