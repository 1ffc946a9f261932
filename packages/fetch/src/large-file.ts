import type { Answer, FileAnswer, FileContent } from '@ng-ssr/core';
import { type Content, type EarlierResponse, toResponse } from './to-response.ts';

/**
 * The Response of what `SsrHandler.largeFile` has resolved to. The file is opened when its content
 * is asked for, and closed when the client leaves.
 *
 * @param earlier - Fields beside its own.
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

/** The global of Bun, as far as it is used. */
const { Bun } = globalThis as { Bun?: { file(path: string): Blob } };

/** Bun gives a stream no Content-Length, and a file of its own one. */
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
    // Nothing is read ahead, so that a Response that is dropped leaves no descriptor open.
    { highWaterMark: 0 },
  );
}
