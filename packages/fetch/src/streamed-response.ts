import type { Answer, StreamedAnswer, StreamedContent } from '@ng-ssr/core/adapter';
import { keepPrivate } from './private-response.ts';
import {
  type Content,
  type EarlierResponse,
  newResponse,
  type ResponseFactory,
  toResponse,
} from './to-response.ts';

/**
 * The Response for an answer that may come in pieces. A file is opened at the first read of its
 * content, and closed when the client disconnects.
 *
 * @param earlier - Status and headers that earlier middleware has set.
 * @param create - Default: `new Response`.
 */
export function toStreamedResponse(
  answer: Answer | StreamedAnswer,
  earlier: EarlierResponse | undefined,
  create: ResponseFactory<Response> = newResponse,
): Response {
  if (!('content' in answer)) return toResponse(answer, earlier, create);
  const { status, headers, content, isPersonal } = answer;
  const head = { status, headers, body: null, ...(isPersonal && { isPersonal }) };
  const response = toResponse(head, earlier, (_, init) => create(toContent(content), init));
  return isPersonal ? keepPrivate(response, headers) : response;
}

/** The members of Bun's global that are used. */
const { Bun } = globalThis as { Bun?: { file(path: string): Blob } };

/** On Bun a Bun.file: Bun sends Content-Length for it, but not for a stream. */
function toContent(content: StreamedContent): Content {
  const { path, first = 0, lengthBytes = 0, pieces, stream } = content;
  if (stream !== undefined) return stream;
  if (pieces !== undefined) return join(pieces, lengthBytes);
  if (Bun !== undefined && path !== undefined) {
    return Bun.file(path).slice(first, first + lengthBytes);
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await content.read();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: () => content.close(),
    },
    // No read-ahead: a Response that is dropped leaves no descriptor open.
    { highWaterMark: 0 },
  );
}

function join(pieces: readonly Uint8Array[], lengthBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(lengthBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
