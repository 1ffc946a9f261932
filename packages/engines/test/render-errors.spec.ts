import type { ApplicationRef, ErrorHandler } from '@angular/core';
import { expect, it, vi } from 'vitest';
import { failWith } from '../src/fail-with.ts';
import { RenderErrors } from '../src/render-errors.ts';

const request = new Request('http://shop.example/');

/** An application without a router. */
const app = { injector: { records: new Map() } } as unknown as ApplicationRef;

it('a body ends with the first error that has occurred while it was sent, if errors fail a page', async () => {
  const error = new Error('a binding');
  const handler: ErrorHandler = { handleError: vi.fn() };
  const errors = new RenderErrors(true, request);
  errors.follow(app, [handler]);
  const content = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('<p>'));
        handler.handleError(error);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = failWith(errors, new Response(null, { status: 201 }), content);
  expect(response.status).toBe(201);
  const reader = response.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  await expect(reader.read()).rejects.toBe(error);
});

it('an error of a handler that several renders share fails none of them, and is printed', () => {
  const handleError = vi.fn();
  const handler: ErrorHandler = { handleError };
  const renders = [1, 2].map(() => {
    const errors = new RenderErrors(true, request);
    errors.follow(app, [handler]);
    return errors;
  });
  const error = new Error('of either');
  handler.handleError(error);
  for (const errors of renders) expect(() => errors.end()).not.toThrow();
  expect(handleError.mock.calls).toEqual([[error]]);
});

it('an error of a handler of one render fails it', () => {
  const handler: ErrorHandler = { handleError: () => undefined };
  const errors = new RenderErrors(true, request);
  errors.follow(app, [handler]);
  const error = new Error('its own');
  handler.handleError(error);
  expect(() => errors.end()).toThrow(error);
});
