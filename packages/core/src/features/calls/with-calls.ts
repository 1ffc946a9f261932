import { SsrError } from '../../errors.ts';
import type { OwnFeature } from '../../path/own-feature.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { Substitute } from '../../path/substitute.ts';
import { currentChain, noteLoop, pageLink } from '../../render/call-chain.ts';
import { catchCallsOfRenders } from '../../render/render-scope.ts';
import { Calls } from './calls.ts';
import { makeCalls } from './renders/calling-renderer.ts';
import type { CallRules } from './rules/call-rules.ts';

/**
 * What becomes of the calls that pages make while they render.
 *
 * @param maxBytes - Of stored calls. Under `ng serve` none are stored: developers change their data.
 */
export function withCalls(rules: CallRules, maxBytes: number): OwnFeature {
  return {
    name: 'calls',
    install: (core) => {
      // Before the application is loaded, whose modules may keep a reference to `fetch`.
      catchCallsOfRenders();
      const { failures, index, isBuilt, locales, main, render, report } = core;
      if (main !== undefined) return {};
      const calls = new Calls(rules, {
        maxBytes: isBuilt ? maxBytes : 0,
        renderTimeoutMs: render.timeoutMs,
        baseHrefOf: (page) => locales?.baseHrefOf(page) ?? index.baseHref,
        onError: report,
      });
      const loops: Substitute = {
        answer: ({ name }: ParsedRequest, request: ParsedRequest) => {
          const chain = currentChain();
          const loop = chain && noteLoop(chain, pageLink(request.origin, name));
          return loop && failures.answer(request, loop);
        },
      };
      return {
        substitutes: [loops],
        wrap: (renderer) => makeCalls(renderer, calls),
        open: () => calls.cache.share(core.server.pages.observePurges?.(calls.cache)),
        useRoutes: (routes) => void (calls.inProcess.routes = routes),
        start: () => {
          const notice = isBuilt ? undefined : noticeOfUnstoredCalls(rules);
          if (notice !== undefined) report(notice);
        },
        close: () => calls.close(),
        heldBytes: () => calls.cache.storedBytes,
      };
    },
  };
}

/** A server without built files is taken for one under `ng serve`. */
function noticeOfUnstoredCalls({ cached }: CallRules): SsrError | undefined {
  if (cached === undefined) return undefined;
  const message =
    `calls[${JSON.stringify(cached)}].cache has no effect: without a folder of built files, as under ng serve, ` +
    'nothing is stored. Set files.folder; an empty folder will do';
  return new SsrError('NG_SSR_CALL_NOTICE', message);
}
