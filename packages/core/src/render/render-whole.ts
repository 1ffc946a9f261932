import { platform } from '#platform';
import { withAdvice } from '../browser-globals.ts';
import { showValue } from '../check-option.ts';
import type { RenderEngine } from '../engine.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';
import type { CallsMade } from './calls-made.ts';
import type { RenderJob } from './render-job.ts';
import { readStream, wholeContentOf } from '../response-body.ts';
import { type ResponseHead, toSendable } from './sendable-response.ts';

/** What an engine has rendered, its body read to the end. */
export interface Rendered {
  readonly response: ResponseHead;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the render has left errors unhandled: the page is sent, and never stored. */
  readonly hasErrors?: boolean;
  /** Of the calls that the render has made; undefined without the feature `calls`. */
  readonly calls?: CallsMade | undefined;
}

/** Where renders get the engine. */
export interface EngineSource {
  /** The engine, after its setup. */
  engine(): RenderEngine;
}

/** A longer body counts as endless, and must not fill the memory. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Errors that a render throws with a code of their own. */
const OWN_CODES: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_RESPONSE_INVALID',
  'NG_SSR_RENDER_NOT_REPEATED',
]);
const TOO_LONG = `the body is longer than ${MAX_BODY_BYTES} bytes`;

/**
 * Renders, and reads the body to its end: the body is a stream that can fail after the status is known.
 *
 * @param signal - Aborts when the render times out: its body is not read further.
 * @param onUndefined - Called when the engine returns undefined, which counts as null.
 * @returns undefined when the engine says that the path is not the application's.
 * @throws SsrError `NG_SSR_RENDER_FAILED`; `NG_SSR_BODY_FAILED`, also for a body above 64 MiB; both with the
 * thrown value as the cause. `NG_SSR_RESPONSE_INVALID` for a response that no server can send;
 * `NG_SSR_RENDER_NOT_REPEATED` of the engine.
 */
export async function renderWhole(
  host: EngineSource,
  { request, requestContext, name }: Pick<RenderJob, 'request' | 'requestContext' | 'name'>,
  signal: AbortSignal,
  onUndefined?: (page: string) => void,
): Promise<Rendered | undefined> {
  let code: SsrErrorCode = 'NG_SSR_RENDER_FAILED';
  try {
    const response = await host.engine()(request, requestContext);
    if (response === undefined) onUndefined?.(name);
    if (response === null || response === undefined) return undefined;
    if (!(Object(response).headers instanceof Headers)) throw notResponse(name, response);
    code = 'NG_SSR_BODY_FAILED';
    const body = await readWhole(response, signal);
    return { response: toSendable(response, body, name), body };
  } catch (cause) {
    if (cause instanceof SsrError && OWN_CODES.has(cause.code)) throw cause;
    throw new SsrError(code, withAdvice(`${name} failed`, cause), { cause });
  }
}

function notResponse(name: string, given: unknown): SsrError {
  const message = `${name}: the engine returned ${showValue(given)} (${typeof given}); allowed: a Response, or null`;
  return new SsrError('NG_SSR_RESPONSE_INVALID', message);
}

async function readWhole(
  response: Response,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = wholeContentOf(response);
  if (whole !== undefined) {
    if (whole.byteLength > MAX_BODY_BYTES) throw new Error(TOO_LONG);
    return platform.viewOf(whole);
  }
  const { body } = response;
  if (body === null) return platform.viewOf(new Uint8Array(0));
  const read = await readStream(body, signal, MAX_BODY_BYTES, () => new Error(TOO_LONG));
  return platform.viewOf(read);
}
