import {
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import {
  type CallEvent,
  channelOf,
  type RenderEndEvent,
  type RenderStartEvent,
} from './channels.ts';
import { withoutSecrets } from '../without-secrets.ts';

/**
 * Creates an OpenTelemetry span for each render, as a child of the span that is active when the render
 * starts: the request's, if your instrumentation creates one. Spans created within the render of a shared
 * route's page are root spans: no request's context is available there. With `withCalls()` each call of a page
 * has a span too, as a child of its render's.
 *
 * @param tracer - Default: that of the global provider.
 * @returns a function that stops the tracing.
 * @example
 * ```ts
 * traceRenders();
 * ```
 */
export function traceRenders(tracer: Tracer = trace.getTracer('ng-ssr')): () => void {
  const starts = channelOf('ng-ssr:render:start');
  const ends = channelOf('ng-ssr:render:end');
  const calls = channelOf('ng-ssr:call');
  const spans = new WeakMap<object, Span>();
  const onStart = ({ render, name, url, queuedMs }: RenderStartEvent): void => {
    const attributes = { 'url.full': withoutSecrets(url), 'ng_ssr.queued_ms': queuedMs };
    const shown = `render ${withoutSecrets(name)}`;
    spans.set(render, tracer.startSpan(shown, { kind: SpanKind.INTERNAL, attributes }));
  };
  const onEnd = ({ render, status, error }: RenderEndEvent): void => {
    const span = spans.get(render);
    if (span === undefined) return;
    describe(span, { status, error });
    span.end();
  };
  const onCall = ({ render, method, url, timeMs, durationMs, ...call }: CallEvent): void => {
    const parent = spans.get(render);
    const attributes = {
      ...{ 'http.request.method': method, 'url.full': url, 'ng_ssr.cache': call.result },
      ...{ 'ng_ssr.rule': call.rule, 'http.response.body.size': call.bytes },
    };
    const options = { kind: SpanKind.CLIENT, attributes, startTime: timeMs };
    const active = context.active();
    const within = parent ? trace.setSpan(active, parent) : active;
    const span = tracer.startSpan(`${method} ${url}`, options, within);
    describe(span, call);
    span.end(timeMs + durationMs);
  };
  starts.subscribe(onStart);
  ends.subscribe(onEnd);
  calls.subscribe(onCall);
  return () => {
    starts.unsubscribe(onStart);
    ends.unsubscribe(onEnd);
    calls.unsubscribe(onCall);
  };
}

function describe(span: Span, { status, error }: Pick<CallEvent, 'status' | 'error'>): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (error === undefined) return;
  span.setAttribute('error.type', error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}
