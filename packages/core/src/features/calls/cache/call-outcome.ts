import { INDEPENDENT, type Provenance } from '../../../render/provenance.ts';
import type { CallResult } from '../../../telemetry/channels.ts';
import type { CallRequest, CallResponse } from '../call-request.ts';
import type { HeldCall } from './held-call.ts';

/** A whole response, for any number of callers. */
export interface CallOutcome {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Never changed: callers share it. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly url: string;
  readonly isRedirected: boolean;
  readonly result: CallResult;
  readonly provenance: Provenance;
}

/** A stored response, with its Age (RFC 9111 section 5.1). */
export function ofHeld(held: HeldCall, url: string, result: CallResult): CallOutcome {
  const { status, headers: list, body, tags } = held.page;
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!);
  headers.set('age', String(Math.max(0, held.ageSeconds)));
  return {
    ...{ status, headers, url, result },
    statusText: status === 200 ? 'OK' : '',
    body: body as Uint8Array<ArrayBuffer>,
    isRedirected: false,
    provenance: { ...INDEPENDENT, tags, freshUntilMs: held.staleAtMs },
  };
}

/** The response for one caller. @param isJoined - Whether the caller has joined another one's call. */
export function toCallResponse(
  { body, result, provenance, ...rest }: CallOutcome,
  { method, isPersonal }: CallRequest,
  isJoined: boolean,
): CallResponse {
  return {
    ...rest,
    body: method === 'HEAD' ? null : body,
    result: isJoined ? 'collapsed' : result,
    // The key may have cookies of the page's request, if the rule's `vary` names them.
    provenance: isPersonal ? { ...provenance, isPersonal } : provenance,
  };
}
