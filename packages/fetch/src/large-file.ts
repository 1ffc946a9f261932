import type { Answer, FileAnswer, FileContent } from '@ng-ssr/core/adapter';
import { type Content, type EarlierResponse, toResponse } from './to-response.ts';

/**
 * The Response for the result of `SsrHandler.largeFile`. The file is opened at the first read of its
 * content, and closed when the client disconnects.
 *
 * @param earlier - Status and headers that earlier middleware has set.
 */
export function toFileResponse(
  answer: Answer | FileAnswer,
  earlier: EarlierResponse | undefined,
): Response {
  if (!('file' in answer)) return toResponse(answer, earlier);
  const { status, headers, file } = answer;
  return toResponse(
    { status, headers, body: null },
    earlier,
    (_, init) => new Response(toContent(file), init),
  );
}

/** The members of Bun's global that are used. */
const { Bun } = globalThis as { Bun?: { file(path: string): Blob } };

/** On Bun a Bun.file: Bun sends Content-Length for it, but not for a stream. */
function toContent(file: FileContent): Content {
  if (Bun !== undefined) {
    return Bun.file(file.path).slice(file.first, file.first + file.lengthBytes);
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await file.read();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: () => file.close(),
    },
    // No read-ahead: a Response that is dropped leaves no descriptor open.
    { highWaterMark: 0 },
  );
}
