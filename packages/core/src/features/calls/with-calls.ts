import { readOption } from '../../check-option.ts';
import { SsrError } from '../../errors.ts';
import type { Answer } from '../../exchange.ts';
import { count } from '../../options/option-values.ts';
import { group, withDefault } from '../../options/option.ts';
import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { currentChain, noteLoop, pageLink } from '../../render/call-chain.ts';
import { catchCallsOfRenders } from '../../render/render-scope.ts';
import { Calls } from './calls.ts';
import { makeCalls } from './renders/calling-renderer.ts';
import type { CallRules, CallsOptions } from './rules/call-rule.ts';
import { ResolvedCallRules } from './rules/call-rules.ts';

const callsOptions = group({ maxBytes: withDefault(count(1, 'bytes'), 64 * 1024 * 1024) });

/** The settings of API calls, for `ng-ssr doctor`. */
export interface CallsSettings {
  readonly maxBytes: number;
  readonly rules: readonly { readonly pattern: string; readonly timeoutMs: number | undefined }[];
}

/**
 * Sets rules for API calls that pages make with `HttpClient` or `fetch` during a render: in-process calls, timeouts,
 * retries, caching. `fetch` also accepts relative URLs. Calls outside renders do not change.
 *
 * @example
 * ```ts
 * features: [withCalls({ '/api/**': { inProcess: true, cache: 'shared' } })]
 * ```
 */
export function withCalls(rules: CallRules, options: CallsOptions = {}): Feature {
  return own({
    name: 'calls',
    isForNode: true,
    install: (core): OwnExtension => {
      const resolved = readOption('withCalls', () => new ResolvedCallRules(rules));
      const { maxBytes } = callsOptions('withCalls', options);
      // Before the application is loaded, whose modules may keep a reference to `fetch`.
      catchCallsOfRenders();
      const { failures, index, isBuilt, locales, main, render, report } = core;
      if (main !== undefined) return {};
      const calls = new Calls(resolved, {
        maxBytes: isBuilt ? maxBytes : 0,
        renderTimeoutMs: render.timeoutMs,
        baseHrefOf: (page) => locales?.baseHrefOf(page) ?? index.baseHref,
        onError: report,
      });
      const answerLoop = ({ name }: ParsedRequest, request: ParsedRequest): Answer | undefined => {
        const chain = currentChain();
        const loop = chain && noteLoop(chain, pageLink(request.origin, name));
        return loop && failures.answer(request, loop);
      };
      const settings: CallsSettings = { maxBytes, rules: resolved.list() };
      const unstored = isBuilt ? undefined : resolved.patternWith('cache');
      const isInProcess = resolved.patternWith('inProcess') !== undefined;
      return {
        // The request that explain is asked about comes from a client, so it is part of no loop.
        substitutes: [{ answer: answerLoop, says: () => undefined }],
        wrap: (renderer) => makeCalls(renderer, calls),
        open: () => calls.cache.share(core.server.pages.observePurges?.(calls.cache)),
        ...(isInProcess && { useRoutes: (routes) => void (calls.inProcess.routes = routes) }),
        start: () => void (unstored && report(noticeOfUnstored(unstored))),
        close: () => calls.close(),
        heldBytes: () => calls.cache.storedBytes,
        describe: () => ({ settings }),
      };
    },
  });
}

/** A server without built files is taken for one under `ng serve`. */
function noticeOfUnstored(pattern: string): SsrError {
  const message =
    `withCalls[${JSON.stringify(pattern)}].cache has no effect: nothing is stored without files.folder, as ` +
    'under ng serve. Set it, for example to an empty folder';
  return new SsrError('NG_SSR_CALL_NOTICE', message);
}
