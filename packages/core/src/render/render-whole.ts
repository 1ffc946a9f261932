import type { RenderEngine } from '../engine.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';
import { type ResponseHead, toSendable } from './sendable-response.ts';

/** What an engine has rendered, its body read to the end. */
export interface Rendered {
  readonly response: ResponseHead;
  readonly body: Buffer;
}

/**
 * Renders, and reads the body to its end: it is a stream that can fail when the status is long known.
 *
 * @returns undefined when the engine says that the path is not the application's.
 * @throws SsrError `NG_SSR_RENDER_FAILED`, `NG_SSR_BODY_FAILED`, with what was thrown as the cause;
 * `NG_SSR_RESPONSE_INVALID` for what no server can send.
 */
export async function renderWhole(
  engine: () => RenderEngine,
  request: Request,
  requestContext: unknown,
  name: string,
): Promise<Rendered | undefined> {
  let code: SsrErrorCode = 'NG_SSR_RENDER_FAILED';
  try {
    const response = await engine()(request, requestContext);
    if (response === null || response === undefined) return undefined;
    code = 'NG_SSR_BODY_FAILED';
    const body = Buffer.from(await response.arrayBuffer());
    return { response: toSendable(response, body, name), body };
  } catch (cause) {
    if (cause instanceof SsrError && cause.code === 'NG_SSR_RESPONSE_INVALID') throw cause;
    throw new SsrError(code, `${name} failed`, { cause });
  }
}
