/** Every code of an ng-ssr error, with the status that a client gets if the error reaches one. */
export const ERROR_CODES = {
  NG_SSR_OPTION_INVALID: 500,
  NG_SSR_OPTION_UNKNOWN: 500,
  NG_SSR_HOST_MALFORMED: 400,
  NG_SSR_HOST_NOT_ALLOWED: 400,
  NG_SSR_TARGET_MALFORMED: 400,
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  NG_SSR_NOT_FOUND: 404,
  NG_SSR_NOT_ACCEPTABLE: 406,
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  NG_SSR_PRECONDITION_FAILED: 412,
  NG_SSR_RENDER_FAILED: 500,
  NG_SSR_BODY_FAILED: 500,
  NG_SSR_ERROR_UNHANDLED: 500,
  NG_SSR_RESPONSE_INVALID: 500,
  NG_SSR_HANDLER_FAILED: 500,
  NG_SSR_ENGINE_NOT_BUILT: 500,
  NG_SSR_ANGULAR_CHANGED: 500,
  NG_SSR_BROWSER_FOLDER_MISSING: 500,
  NG_SSR_INDEX_FAILED: 500,
  NG_SSR_FILE_UNREADABLE: 500,
  NG_SSR_CODING_FAILED: 500,
  NG_SSR_ADDON_UNAVAILABLE: 500,
  NG_SSR_REQUEST_NOT_SHARED: 500,
  NG_SSR_REFRESH_FAILED: 500,
  NG_SSR_PREWARM_FAILED: 500,
  NG_SSR_OVERLOADED: 503,
  NG_SSR_DEADLINE_PASSED: 503,
  NG_SSR_RENDER_TIMEOUT: 503,
  NG_SSR_WORKER_LOST: 503,
  NG_SSR_WORKER_NOT_STARTED: 500,
  NG_SSR_CONTEXT_NOT_CLONEABLE: 500,
  NG_SSR_STORE_UNAVAILABLE: 503,
  NG_SSR_NONCE_UNFILLED: 500,
  NG_SSR_NOT_READY: 503,
  NG_SSR_CLOSE_FAILED: 500,
  NG_SSR_LOG_FAILED: 500,
  NG_SSR_PURGE_INVALID: 400,
  NG_SSR_PURGE_UNAUTHORIZED: 401,
} as const;

/** A code of {@link ERROR_CODES}. */
export type SsrErrorCode = keyof typeof ERROR_CODES;

/** An error of ng-ssr: `code` is stable, the message is for people, `cause` is the underlying error. */
export class SsrError extends Error {
  readonly code: SsrErrorCode;
  override readonly name = 'SsrError';

  constructor(code: SsrErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
