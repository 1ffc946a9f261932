import type { Resource } from '../../../answers/resource.ts';
import { statusOf } from '../../../error-statuses.ts';
import { normalisePath, pathOf } from '../../../http/target.ts';
import { type InstalledSubstitute, type Said, sayRefused } from '../../../path/substitute.ts';
import type { Look } from '../../../pages/pages.ts';
import type { ParsedRequest } from '../../../pages/parsed-request.ts';
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
 * @param parsed - Of a GET, with a verdict on its host.
 * @param look - What memory has; undefined for a request that can have no page.
 */
export function toVerdict(
  parts: ExplainedParts,
  parsed: ParsedRequest,
  look: Look | undefined,
): Verdict {
  const verdict =
    beforeRoutes(parts, parsed, look) ??
    refusedSite(parsed) ??
    beforeRender(parts, parsed) ??
    mayDiffer(
      ofPage(parsed, look) ?? ofMissingRoute(parts, parsed) ?? ofRender(parsed, look),
      parts.server.path.substitutes,
    );
  const { answer, reasons, resource, status = 200 } = verdict;
  if (answer === 'refused' || answer === 'server' || status !== 200) return verdict;
  const completed = parts.server.path.features.completion?.says(parsed, resource);
  return completed === undefined ? verdict : { ...verdict, reasons: [...reasons, completed] };
}

/** What is answered before the framework's routes, and files that are read from the disk. */
function beforeRoutes(
  parts: ExplainedParts,
  parsed: ParsedRequest,
  look: Look | undefined,
): Verdict | undefined {
  const { extensions, path } = parts.server;
  const { site } = parsed;
  const isAllowed = site.verdict === 'allowed';
  if (site.verdict === 'malformed') return refusedSite(parsed);
  for (const { file } of isAllowed ? extensions.values() : []) {
    const said = file?.says(parsed);
    if (said !== undefined) return said;
  }
  const resource = path.files.find(parsed);
  if (resource !== undefined) {
    const refused = refusedSite(parsed);
    if (refused !== undefined) return refused;
    if (path.files.isNotFoundPage(resource)) {
      return sayRefused(
        'NG_SSR_NOT_FOUND',
        'This file is the page for missing paths, so it has status 404 itself.',
      );
    }
    const { status } = resource.identity.full;
    const reasons = ['The path is a built file, which is in memory. It is not rendered.'];
    return { answer: 'held', status, reasons, resource };
  }
  if (!parsed.isWellFormed) {
    return sayRefused('NG_SSR_TARGET_MALFORMED', 'Parsers may read this URL differently.');
  }
  if (!isAllowed) return undefined;
  if (look?.isAtOnce === true) return ofStored(look);
  const file = path.files.findLarge(parsed);
  if (file === undefined) return undefined;
  const reasons = ['The path is a built file, which is read from disk.'];
  return { answer: 'held', status: 200, reasons, sizeBytes: file.sizeBytes };
}

function refusedSite({ site }: ParsedRequest): Verdict | undefined {
  switch (site.verdict) {
    case 'malformed':
      return sayRefused(
        'NG_SSR_HOST_MALFORMED',
        'The host of the request is missing or malformed.',
      );
    case 'not-allowed':
      return sayRefused(
        'NG_SSR_HOST_NOT_ALLOWED',
        site.port === undefined
          ? `The host ${site.hostname} is not in allowedHosts.`
          : `The host ${site.hostname} is not allowed with port ${site.port}.`,
      );
    case 'undecided':
      return sayRefused(
        'NG_SSR_HOST_UNDECIDED',
        `The function allowedHosts failed for the host ${site.hostname}.`,
      );
    default:
      return undefined;
  }
}

/** What needs no render, or may not cause one. */
function beforeRender({ server }: ExplainedParts, parsed: ParsedRequest): Verdict | undefined {
  const { endpoints, substitutes } = server.path;
  const endpoint = endpoints.find((each) => each.matches(parsed));
  if (endpoint !== undefined) return afterRoutes(endpoint.says(parsed));
  for (const [at, substitute] of substitutes.entries()) {
    const said = substitute.says?.(parsed);
    if (said !== undefined) return mayDiffer(afterRoutes(said), substitutes.slice(0, at));
  }
  return undefined;
}

/** Names the features that may respond first, without saying when. */
function mayDiffer(verdict: Verdict, asked: readonly InstalledSubstitute[]): Verdict {
  const features = new Set(asked.flatMap(({ silentFeature = [] }) => silentFeature));
  const reasons = [...features].map(
    (name) => `The feature ${name} may respond instead: its substitute has no says().`,
  );
  return { ...verdict, reasons: [...verdict.reasons, ...reasons] };
}

/** The routes of frameworks are not known here. */
function afterRoutes(said: Said): Said {
  return { ...said, reasons: [...said.reasons, OF_FRAMEWORK] };
}

/** What memory has in place of a render. */
function ofPage({ page }: ParsedRequest, look: Look | undefined): Verdict | undefined {
  const mayBeStored = page.rule?.cache !== false;
  const way = mayBeStored ? look?.inPlaceOfRender : undefined;
  if (way === 'refuse-bot') {
    const reason = 'Crawlers may not render this page (render.bots.renderCold is false).';
    return sayRefused('NG_SSR_OVERLOADED', reason);
  }
  return look !== undefined && way !== undefined ? ofStored(look) : undefined;
}

/** The engine renders no page for such a path. */
function ofMissingRoute(
  { rules, server }: ExplainedParts,
  parsed: ParsedRequest,
): Verdict | undefined {
  const routes = server.routes();
  const path = normalisePath(pathOf(parsed.target));
  if (routes === undefined || rules.isOfRoutes(path, routes) !== false) return undefined;
  return {
    answer: 'refused',
    status: statusOf('NG_SSR_NOT_FOUND'),
    reasons: ['No route of the application matches the path.', OF_FRAMEWORK],
  };
}

function ofRender({ page }: ParsedRequest, look: Look | undefined): Verdict {
  const mayBeStored = page.rule?.cache !== false;
  return { answer: 'render', status: undefined, reasons: reasonsOfRender(look, mayBeStored) };
}

function ofStored(look: Look): Verdict {
  const { held } = look;
  return { answer: 'stored', status: held?.page.status, reasons: [sentenceOfStored(look)] };
}
