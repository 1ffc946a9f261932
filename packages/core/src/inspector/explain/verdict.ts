import type { Resource } from '../../answers/resource.ts';
import { ERROR_CODES, type SsrErrorCode } from '../../errors.ts';
import { valueOf } from '../../http/header-list.ts';
import { normalisePath } from '../../http/normalise-path.ts';
import { withoutSecrets } from '../../without-secrets.ts';
import { isPrefetch } from '../../http/sec-purpose.ts';
import { pathOf } from '../../http/target.ts';
import type { Look } from '../../pages/pages.ts';
import type { Visit } from '../../pages/visit.ts';
import type { Explanation } from '../protocol.ts';
import type { ExplainedParts } from './explained-parts.ts';
import { OF_FRAMEWORK, reasonsOfRender, sentenceOfStored } from './sentences.ts';

/** What answers a request, and why. */
export interface Verdict extends Pick<Explanation, 'answer' | 'status' | 'reasons'> {
  readonly resource?: Resource | undefined;
  /** Of a file that is not held. */
  readonly sizeBytes?: number | undefined;
}

/**
 * Asks the parts of the request path in its order (`RequestPath`), without its effects.
 *
 * @param visit - Of a GET, with a verdict on its host.
 * @param look - What memory has; undefined for a request that can have no page.
 */
export function toVerdict(parts: ExplainedParts, visit: Visit, look: Look | undefined): Verdict {
  return (
    beforeRoutes(parts, visit, look) ??
    refusedSite(visit) ??
    beforeRender(parts, visit) ??
    ofPage(visit, look) ??
    ofMissingRoute(parts, visit) ??
    ofRender(visit, look)
  );
}

/** What is answered before the framework's routes, and files that are read from the disk. */
function beforeRoutes(
  parts: ExplainedParts,
  visit: Visit,
  look: Look | undefined,
): Verdict | undefined {
  const { built, errorPages, locales, speculationRules } = parts;
  const { site, targetBelowMount } = visit;
  const isAllowed = site.verdict === 'allowed';
  if (site.verdict === 'malformed') return refusedSite(visit);
  if (isAllowed && speculationRules?.isAsked(visit) === true) {
    return byServer(200, 'This is the list of speculation rules, which the server makes.');
  }
  const resource = built.find(targetBelowMount, locales?.siteOf(visit));
  if (resource !== undefined) {
    const refused = refusedSite(visit);
    if (refused !== undefined) return refused;
    if (errorPages.isNotFound(resource)) {
      return refused404('This file is the page for paths that do not exist: it has 404 itself.');
    }
    const { status } = resource.identity.full;
    const reasons = ['A file of the build answers, from memory: it is never rendered.'];
    return { answer: 'held', status, reasons, resource };
  }
  if (!visit.isWellFormed) {
    return refuse('NG_SSR_TARGET_MALFORMED', 'Parsers would not all read this target alike.');
  }
  if (!isAllowed) return undefined;
  if (look?.isAtOnce === true) return ofStored(look);
  const file = built.findLarge(targetBelowMount, locales?.siteOf(visit));
  if (file === undefined) return undefined;
  const reasons = [
    'A file of the build answers. It is not held in memory, but read from the disk.',
  ];
  return { answer: 'held', status: 200, reasons, sizeBytes: file.sizeBytes };
}

function refusedSite({ site }: Visit): Verdict | undefined {
  switch (site.verdict) {
    case 'malformed':
      return refuse('NG_SSR_HOST_MALFORMED', 'The request has no host that can be read.');
    case 'not-allowed':
      return refuse(
        'NG_SSR_HOST_NOT_ALLOWED',
        site.port === undefined
          ? `The host ${site.hostname} is not in the option allowedHosts.`
          : `The server does not answer for the host ${site.hostname} at port ${site.port}.`,
      );
    case 'undecided':
      return refuse(
        'NG_SSR_HOST_UNDECIDED',
        `The function allowedHosts has failed for the host ${site.hostname}.`,
      );
    default:
      return undefined;
  }
}

/** What needs no render, or may not cause one. */
function beforeRender(parts: ExplainedParts, visit: Visit): Verdict | undefined {
  const { constantPages, inspector, isBuilt, localeRedirects, options } = parts;
  const { purgeEndpoint, renderRules } = parts;
  const { exchange, page, target } = visit;
  if (purgeEndpoint?.isAsked(exchange) === true) {
    return refuse('NG_SSR_METHOD_NOT_ALLOWED', 'This is the purge endpoint, which takes POST.');
  }
  if (inspector?.isAsked(visit) === true) {
    return byServer(undefined, 'This is the inspector, for those who have its token.');
  }
  const missing = missingFile(parts, visit);
  if (missing !== undefined) return missing;
  const redirect = localeRedirects?.find(visit);
  if (redirect !== undefined) {
    const location = withoutSecrets(valueOf(redirect.headers, 'location') ?? '');
    return byServer(redirect.status, `The option locales.by redirects the path to ${location}.`);
  }
  const csrPage = renderRules.answer(visit, page.rule, false);
  if (csrPage !== undefined) return ofRenderRule(csrPage.status, page.rule?.render);
  const constant = page.rule === undefined ? constantPages.find(target) : undefined;
  if (constant !== undefined) {
    const { status } = constant.identity.full;
    const reasons = ['The page is the same for every request (its route is not rendered).'];
    return { answer: 'constant', status, reasons, resource: constant };
  }
  const mayPrefetch = options.render.prefetch || !isBuilt;
  if (mayPrefetch || !isPrefetch((field) => exchange.header(field))) return undefined;
  return refuse(
    'NG_SSR_PREFETCH_REFUSED',
    'The request is a prefetch, which causes no render (render.prefetch).',
  );
}

function missingFile(
  { built, locales, otherBuilds }: ExplainedParts,
  visit: Visit,
): Verdict | undefined {
  const path = built.hashed?.pathOf(visit.targetBelowMount);
  if (path === undefined) return undefined;
  const ownPath = (locales?.folderOf(visit) ?? '') + path;
  if (built.hashed?.isAmongThem(ownPath) !== true) return undefined;
  const others =
    otherBuilds === undefined ? '' : ' The request would ask the other builds (option builds).';
  return refused404(`The name is that of a script or style, and this build has none.${others}`);
}

function ofRenderRule(status: number, render: unknown): Verdict {
  const why =
    render === false
      ? 'has render: false'
      : render === 'bots'
        ? "has render: 'bots', and the request's User-Agent is no crawler's"
        : 'has a function render, which returned false';
  const reasons = [`The rule of the route ${why}: the CSR page answers, and the browser renders.`];
  return { answer: 'constant', status, reasons };
}

/** What memory has in place of a render. */
function ofPage({ page }: Visit, look: Look | undefined): Verdict | undefined {
  const mayBeStored = page.rule?.cache !== false;
  const way = mayBeStored ? look?.inPlaceOfRender : undefined;
  if (way === 'refuse-bot') {
    const reason = 'A crawler may not cause this render (render.bots.renderCold is false).';
    return refuse('NG_SSR_OVERLOADED', reason);
  }
  return look !== undefined && way !== undefined ? ofStored(look) : undefined;
}

/** The engine renders no page for such a path. */
function ofMissingRoute(
  { constantPages, rules }: ExplainedParts,
  visit: Visit,
): Verdict | undefined {
  const { routes } = constantPages;
  const path = normalisePath(pathOf(visit.target));
  if (routes === undefined || rules.isOfRoutes(path, routes) !== false) return undefined;
  return {
    answer: 'refused',
    status: ERROR_CODES.NG_SSR_NOT_FOUND,
    reasons: ['No route of the application matches the path: there is no page.', OF_FRAMEWORK],
  };
}

function ofRender({ page }: Visit, look: Look | undefined): Verdict {
  const mayBeStored = page.rule?.cache !== false;
  return { answer: 'render', status: undefined, reasons: reasonsOfRender(look, mayBeStored) };
}

function ofStored(look: Look): Verdict {
  const { held } = look;
  return { answer: 'stored', status: held?.page.status, reasons: [sentenceOfStored(look)] };
}

function byServer(status: number | undefined, reason: string): Verdict {
  return { answer: 'server', status, reasons: [reason] };
}

function refused404(reason: string): Verdict {
  return refuse('NG_SSR_NOT_FOUND', reason);
}

function refuse(code: SsrErrorCode, reason: string): Verdict {
  return {
    answer: 'refused',
    status: ERROR_CODES[code],
    reasons: [reason, `Its code is ${code}.`],
  };
}
