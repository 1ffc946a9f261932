import { check, checkKey, isOptionObject } from '../../../check-option.ts';
import { normalisePath } from '../../../http/target.ts';
import {
  compareSpecificity,
  isSegmentPattern,
  matchesPattern,
} from '../../../http/path-pattern.ts';
import type { CallRules, ResolvedCallRule } from './call-rule.ts';
import { NO_RULE, resolveCallRule } from './resolve-call-rule.ts';

interface CompiledRule {
  /** An origin, one with `*.` before its host, `own` for the page's, or `any`. */
  readonly origin: string;
  readonly segments: readonly string[];
  readonly rule: ResolvedCallRule;
}

const OWN = 'own';
const ANY = 'any';

const ALLOWED =
  'a path of the page\'s own origin ("/api/**"), an origin and a path ("https://cms.example/items/**", ' +
  '"https://*.example/**"), or "**" for all URLs; "*" matches one segment, "**" goes at the end';

/** Rules with their defaults: the most specific first, an origin before the page's own, and that before all. */
export class ResolvedCallRules {
  readonly #rules: readonly CompiledRule[];

  /** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
  constructor(calls: CallRules) {
    check(
      'withCalls',
      calls,
      isOptionObject(calls),
      "an object of rules by URL, as in { '/api/**': { inProcess: true } }",
    );
    this.#rules = Object.entries(calls)
      .map(([pattern, rule]) => ({ ...readPattern(pattern), rule: resolveCallRule(pattern, rule) }))
      .sort(
        (a, b) => rankOf(a.origin) - rankOf(b.origin) || compareSpecificity(a.segments, b.segments),
      );
  }

  /** The rules as they are written, the most specific first. */
  list(): readonly Pick<ResolvedCallRule, 'pattern' | 'timeoutMs'>[] {
    return this.#rules.map(({ rule: { pattern, timeoutMs } }) => ({ pattern, timeoutMs }));
  }

  patternWith(option: 'cache' | 'inProcess'): string | undefined {
    return this.#rules.find(({ rule }) => Boolean(rule[option]))?.rule.pattern;
  }

  /** @param pageOrigin - The origin of the page that calls. */
  find(url: URL, pageOrigin: string): ResolvedCallRule {
    const segments = toSegments(url.pathname);
    const found = this.#rules.find(
      (each) => isOrigin(each.origin, url, pageOrigin) && matchesPattern(each.segments, segments),
    );
    return found?.rule ?? NO_RULE;
  }
}

function readPattern(pattern: string): Pick<CompiledRule, 'origin' | 'segments'> {
  if (pattern === '**') return { origin: ANY, segments: ['', '**'] };
  const [, origin, path] = /^(https?:\/\/[^/?#@\\]+)?(\/[^?#\\]*)$/.exec(pattern) ?? [];
  checkKey('withCalls', pattern, path !== undefined, ALLOWED, withScheme(pattern));
  const { pathname } = new URL(path!, 'http://own');
  const segments = toSegments(pathname).map((segment) => (segment.startsWith(':') ? '*' : segment));
  checkKey('withCalls', pattern, isSegmentPattern(segments), ALLOWED);
  if (origin === undefined) return { origin: OWN, segments };
  // A host with a wildcard is no host that the URL parser takes.
  const [scheme, host] = origin.split('://') as [string, string];
  const isWild = host.startsWith('*.');
  const written = `${scheme}://${isWild ? host.slice(2) : host}`;
  checkKey('withCalls', pattern, URL.canParse(written) && !written.includes('*'), ALLOWED);
  const url = new URL(written);
  return { origin: isWild ? `${url.protocol}//*.${url.host}` : url.origin, segments };
}

/** `cms.example/**` lacks a scheme, `api/**` the slash; other patterns can mean anything. */
function withScheme(pattern: string): string | undefined {
  if (/^[a-z\d-]+(?:\.[a-z\d-]+)+\/[^?#\\]*$/i.test(pattern)) return `https://${pattern}`;
  if (/^https?:\/\/[^/?#@\\]+$/i.test(pattern)) return `${pattern}/**`;
  return /^[\w-]+\/[^?#\\]*$/.test(pattern) ? `/${pattern}` : undefined;
}

function isOrigin(
  origin: string,
  { protocol, host, origin: own }: URL,
  pageOrigin: string,
): boolean {
  if (origin === ANY) return true;
  if (origin === OWN) return own === pageOrigin;
  if (!origin.includes('//*.')) return own === origin;
  const suffix = origin.slice(origin.indexOf('*') + 1);
  return origin.startsWith(`${protocol}//`) && host.endsWith(suffix) && host.length > suffix.length;
}

function rankOf(origin: string): number {
  if (origin === ANY) return 3;
  if (origin === OWN) return 2;
  return origin.includes('*') ? 1 : 0;
}

function toSegments(path: string): readonly string[] {
  return normalisePath(path).split('/');
}
