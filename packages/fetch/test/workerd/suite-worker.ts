import {
  createNeutralSsrHandler,
  type RenderEngine,
  type SsrError,
  withPurgeEndpoint,
  withSlots,
} from '@ng-ssr/fetch/neutral-server';
import { unhandledErrors } from '@ng-ssr/core/neutral';
import { PURGE_ENDPOINT } from '../../../conformance/src/purge-fixture.ts';
import { SLOT_ENDPOINT, SLOTS } from '../../../conformance/src/slots-fixture.ts';
import { createBareApp } from '../apps/bare-app.ts';
// Written beside this program for each server.
// @ts-expect-error -- there is none before.
import { manifest } from './build-manifest.mjs';
// @ts-expect-error -- there is none before.
import { builtHosts, engineOrigin, features, options } from './parameters.js';

interface Environment {
  readonly ASSETS: { fetch(request: Request): Promise<Response> };
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

interface Outcome {
  readonly kind: 'null' | 'failure' | 'response';
  readonly message: string | undefined;
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
  readonly failure: string | undefined;
  readonly unhandled: readonly string[];
}

/** The reports of a request in flight, which its answer waits for. */
let reports: Promise<unknown>[] = [];

async function ask(path: string, value: unknown): Promise<unknown> {
  const body = JSON.stringify(value);
  return (await fetch(engineOrigin + path, { method: 'POST', body })).json();
}

const render: RenderEngine = async (request) => {
  const { url, headers } = request;
  const leave = unhandledErrors(request);
  const outcome = (await ask('/render', { url, headers: toByteHeaders(headers) })) as Outcome;
  for (const message of outcome.unhandled ?? []) leave?.(new Error(message));
  return toResponse(outcome);
};

/** workerd reads headers as UTF-8, and Node's Headers take bytes alone. */
function toByteHeaders(headers: Headers): [string, string][] {
  return [...headers].map(([name, value]) => [name, value.replaceAll(/[^\x01-\xff]/g, '?')]);
}

function toResponse(outcome: Outcome): Response | null {
  if (outcome.kind === 'null') return null;
  if (outcome.kind === 'failure') {
    throw outcome.message === undefined ? undefined : new Error(outcome.message);
  }
  const { status, headers, body, failure } = outcome;
  const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  const init = { status, headers, encodeBody: 'manual' } as ResponseInit;
  if (failure === undefined) return new Response(bytes.length > 0 ? bytes : null, init);
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.error(new Error(failure));
    },
  });
  return new Response(stream, init);
}

const ssr = createNeutralSsrHandler<[Environment, Context]>({
  ...options,
  features: [
    ...(features.includes('purge-endpoint') ? [withPurgeEndpoint(PURGE_ENDPOINT)] : []),
    ...(features.includes('slots') ? [withSlots(SLOTS)] : []),
    ...(features.includes('slot-endpoint') ? [withSlots(SLOTS, { endpoint: SLOT_ENDPOINT })] : []),
  ],
  manifest,
  assets: (request, env) => env.ASSETS.fetch(request),
  engine: Object.assign(render, {
    setup: (setup: unknown) => void reports.push(ask('/setup', setup)),
    allowedHosts: () => builtHosts as string[],
  }),
  onError: (error) => {
    const { code, message, cause } = error as SsrError;
    const reason = cause instanceof Error ? cause.message : undefined;
    reports.push(ask('/error', { code, message, cause: reason }));
  },
});

const app = createBareApp(ssr as never);

export default {
  async fetch(request: Request, env: Environment, context: Context): Promise<Response> {
    const response = await app(request, env, context);
    const pending = reports;
    reports = [];
    await Promise.all(pending);
    return response;
  },
};
