import { SsrError } from '@ng-ssr/core';
import { createWholeResponse } from '@ng-ssr/core/adapter';
import { failWith } from '../fail-with.ts';
import type { RenderErrors } from '../render-errors.ts';
import type { FastRender } from './fast-path.ts';

/**
 * Finishes a fast render of the app engine.
 *
 * @param handle - Renders with Angular's app engine.
 * @returns undefined for a page that must be rendered again by Angular alone.
 * @throws SsrError `NG_SSR_RENDER_NOT_REPEATED`
 */
export async function finishFast(
  render: FastRender,
  errors: RenderErrors,
  handle: () => Promise<Response | null>,
): Promise<Response | null | undefined> {
  let response: Response | null;
  try {
    response = await handle();
    errors.settleNavigation(response !== null);
  } catch (error) {
    if (render.isUnfit()) return undefined;
    throw error;
  }
  if (!response?.body || !render.hasDocument) {
    if (render.isUnfit()) return undefined;
    if (response?.body) return failWith(errors, response, response.body);
    errors.end();
    return response;
  }
  try {
    const page = await render.finish(await readText(response.body));
    if (page === undefined) return undefined;
    errors.end();
    return createWholeResponse(page, response);
  } catch (error) {
    if (error instanceof SsrError) throw error;
    return render.isUnfit() ? undefined : failed(response, error);
  }
}

/** Angular's answer is one short chunk: `Response#text` costs more than its few steps here. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** The same response; its body fails. */
function failed(response: Response, error: unknown): Response {
  const body = new ReadableStream({ start: (controller) => controller.error(error) });
  return new Response(body, response);
}
