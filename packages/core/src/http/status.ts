/** Whether a status is that of a final response (RFC 9110 section 15). */
export function isFinalStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
}

/** Whether a response with this status has content (RFC 9110 section 6.4.1). */
export function hasContent(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}
