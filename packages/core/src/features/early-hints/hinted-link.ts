import { contentTypeOf } from '../../http/content-type.ts';
import type { Attributes } from './start-tags.ts';

/** What a browser may do early for a link, the most urgent first. */
export const LINK_KINDS = ['preconnect', 'style', 'font', 'module'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** A link of a document that a browser may be told of early. */
export interface HintedLink {
  readonly kind: LinkKind;
  /** The target as a 103 names it: a path or, for another origin, a URL. */
  readonly target: string;
  /** The value of a Link header (RFC 8288). */
  readonly hint: string;
}

/** Stands for the origin of the site: hints are the same for all of its hosts. */
const OWN_HOST = 'own.invalid';
/** Visible ASCII without the delimiters of a Link header's target. */
const SENDABLE = /^[!#-;=?-~]+$/;
/** One hash, as the Angular CLI writes it (`subresourceIntegrity`). */
const INTEGRITY = /^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}$/;

/**
 * Reads a `<link>` as one that may be hinted: styles, preloaded fonts and modules, and preconnections. All
 * values of the result are constants, except a target in {@link SENDABLE} characters and a hash.
 *
 * @param baseHref - That of the document, against which it is resolved.
 * @returns undefined for any other link.
 */
export function toHintedLink(link: Attributes, baseHref: string): HintedLink | undefined {
  const kind = kindOf(link);
  const target = kind && resolve(link.get('href') ?? '', baseHref);
  if (kind === undefined || target === undefined) return undefined;
  const integrity = link.get('integrity');
  if (integrity !== undefined && !INTEGRITY.test(integrity)) return undefined;
  const hash = integrity === undefined ? '' : `; integrity="${integrity}"`;
  const hint = `<${target}>${parametersOf(kind, target)}${crossOriginOf(link)}${hash}`;
  return { kind, target, hint };
}

/** The `<link>` that would preload a module script, which a document has at its end; undefined for others. */
export function toModuleLink(script: Attributes): Attributes | undefined {
  const source = script.get('src');
  if (source === undefined || script.get('type')?.toLowerCase() !== 'module') return undefined;
  return new Map([...script, ['rel', 'modulepreload'], ['href', source]]);
}

function kindOf(link: Attributes): LinkKind | undefined {
  switch (link.get('rel')?.toLowerCase()) {
    case 'preconnect':
      return 'preconnect';
    case 'modulepreload':
      return 'module';
    case 'preload':
      return link.get('as')?.toLowerCase() === 'font' ? 'font' : undefined;
    case 'stylesheet':
      return isForScreens(link) ? 'style' : undefined;
    default:
      return undefined;
  }
}

/** Styles that wait as `media="print"` for a script, under critical CSS, are in `<noscript>` without it. */
function isForScreens(link: Attributes): boolean {
  const media = link.get('media')?.trim().toLowerCase() ?? '';
  return (media === '' || media === 'all' || media === 'screen') && !link.has('disabled');
}

function resolve(href: string, baseHref: string): string | undefined {
  const own = `http://${OWN_HOST}/`;
  const text = href.trim();
  if (text === '' || !URL.canParse(baseHref, own)) return undefined;
  const base = new URL(baseHref, own);
  if (!URL.canParse(text, base.href)) return undefined;
  // Percent-encodes what a URL cannot contain.
  const { protocol, username, password, host, origin, pathname, search } = new URL(text, base);
  if (username !== '' || password !== '') return undefined;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const rest = pathname + search;
  const isSchemeless = text.startsWith('//');
  const target = host === OWN_HOST ? rest : isSchemeless ? `//${host}${rest}` : origin + rest;
  return SENDABLE.test(target) ? target : undefined;
}

function parametersOf(kind: LinkKind, target: string): string {
  switch (kind) {
    case 'preconnect':
      return '; rel=preconnect';
    case 'style':
      return '; rel=preload; as=style';
    case 'font': {
      const end = target.indexOf('?');
      const type = contentTypeOf(end === -1 ? target : target.slice(0, end));
      return `; rel=preload; as=font${type.startsWith('font/') ? `; type=${type}` : ''}`;
    }
    case 'module':
      return '; rel=modulepreload';
  }
}

/** A preload counts for a request with the same credentials mode alone. */
function crossOriginOf(link: Attributes): string {
  const value = link.get('crossorigin');
  if (value === undefined) return '';
  return value.toLowerCase() === 'use-credentials'
    ? '; crossorigin=use-credentials'
    : '; crossorigin';
}
