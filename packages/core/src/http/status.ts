/** Whether a status is that of a final response (RFC 9110 section 15). */
export function isFinalStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
}

/** Whether a response with this status has content (RFC 9110 section 6.4.1). */
export function hasContent(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/** Reason phrases of the statuses of this server's own answers (RFC 9110 section 15). */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  508: 'Loop Detected',
};
