import { SsrError } from '../errors.ts';

/**
 * Returns a function that reports once that an engine has returned undefined for a page: without `return`, it would
 * answer every page as not found.
 */
export function undefinedResponses(onError: (error: SsrError) => void): (page: string) => void {
  let isReported = false;
  return (page) => {
    if (isReported) return;
    isReported = true;
    const message =
      `the engine returned undefined for ${page}, so clients get 404; allowed: a Response, or null for a path that ` +
      'the application does not have. Is a return missing? This is reported once';
    onError(new SsrError('NG_SSR_RESPONSE_INVALID', message));
  };
}
