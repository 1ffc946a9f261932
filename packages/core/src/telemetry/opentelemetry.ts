import { type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { channelOf, type RenderEndEvent, type RenderStartEvent } from './channels.ts';

/**
 * Creates an OpenTelemetry span for each render, as a child of the span that is active when the render
 * starts: the request's, if your instrumentation creates one. Spans created within the render of a shared
 * route's page are root spans: no request's context is available there.
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
  const spans = new WeakMap<object, Span>();
  const onStart = ({ render, name, url, queuedMs }: RenderStartEvent): void => {
    const attributes = { 'url.full': url, 'ng_ssr.queued_ms': queuedMs };
    spans.set(render, tracer.startSpan(`render ${name}`, { kind: SpanKind.INTERNAL, attributes }));
  };
  const onEnd = ({ render, status, error }: RenderEndEvent): void => {
    const span = spans.get(render);
    if (span === undefined) return;
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (error !== undefined) {
      span.setAttribute('error.type', error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    }
    span.end();
  };
  starts.subscribe(onStart);
  ends.subscribe(onEnd);
  return () => {
    starts.unsubscribe(onStart);
    ends.unsubscribe(onEnd);
  };
}
