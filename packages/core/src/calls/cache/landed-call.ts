import type { CallResult } from '../../telemetry/channels.ts';
import type { CallResponse } from '../asked-call.ts';
import type { HeldCall } from './held-call.ts';

/** A whole response, for any number of callers. */
export interface LandedCall {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Never changed: callers share it. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly url: string;
  readonly isRedirected: boolean;
  readonly tags: readonly string[];
  readonly result: CallResult;
  /** Until when it is fresh (`performance.now()`); undefined if it may not be stored. */
  readonly freshUntilMs: number | undefined;
}

/** A stored response, with its Age (RFC 9111 section 5.1). */
export function ofHeld(held: HeldCall, url: string, result: CallResult): LandedCall {
  const { status, headers: list, body, tags } = held.page;
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!);
  headers.set('age', String(Math.max(0, held.ageSeconds)));
  return {
    ...{ status, headers, url, tags, result },
    statusText: status === 200 ? 'OK' : '',
    body: body as Uint8Array<ArrayBuffer>,
    isRedirected: false,
    freshUntilMs: held.staleAtMs,
  };
}

/** The response for one caller. @param isJoined - Whether the caller has joined another one's call. */
export function toCallResponse(
  { headers, body, freshUntilMs = 0, result, ...rest }: LandedCall,
  method: string,
  isJoined: boolean,
): CallResponse {
  const own = new Headers(headers);
  // The API has made it for the caller that asked first.
  if (isJoined) own.delete('set-cookie');
  return {
    ...rest,
    headers: own,
    body: method === 'HEAD' ? null : body,
    result: isJoined ? 'collapsed' : result,
    freshSeconds: Math.max(0, (freshUntilMs - performance.now()) / 1000),
  };
}
