import { platform } from '#platform';
import { isPage } from '../../answers/select.ts';
import type { Answer, Exchange, StreamedAnswer } from '../../exchange.ts';
import { keptPrivate } from '../../http/edge-headers.ts';
import { type Directives, readDirectives, secondsOf } from '../../http/cache-control.ts';
import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { joined } from './open-encoding.ts';
import { splitPage } from './page-parts.ts';
import { writeSlotQuery } from './slot-query.ts';
import { WholeContent } from './slotted-content.ts';

/** The values of a list of `token="name/version name/version"` (Edge Architecture Specification 1.0). */
const CAPABILITIES = /=\s*"([^"]*)"/g;

/** Whether what asks, such as Varnish, replaces `<esi:include>` with what the URL in it has. */
export function canInclude(exchange: Exchange): boolean {
  const given = exchange.header('surrogate-capability');
  if (given === undefined) return false;
  return [...given.matchAll(CAPABILITIES)].some(([, value]) =>
    value!.split(/\s+/).includes('ESI/1.0'),
  );
}

/**
 * The page with an include where its slots would follow: otherwise as it is sent with them, but unencoded, because what
 * includes reads it.
 *
 * A browser gets what was made of it, which is of one client: so its Cache-Control is private, and only what includes may
 * keep the page, by Surrogate-Control. If a cache that does not include keeps it nevertheless, `slot()` finds no mark of
 * slots in the page, and asks the endpoint.
 *
 * @param path - Of the page, as it was requested, with its query.
 * @param slots - The names of slots that have HTML.
 * @returns undefined if the answer is not a page.
 */
export function toEsiPage(
  page: Answer,
  path: string,
  endpoint: string,
  slots: readonly string[],
): StreamedAnswer | undefined {
  const { status, headers, body } = page;
  if (!isPage(page) || body === null) return undefined;
  const { start, islands, script, end } = splitPage(body, slots);
  const src = (endpoint + writeSlotQuery(path, islands)).replace(/&/g, '&amp;');
  const include = platform.toBytes(`<esi:include src="${src}" onerror="continue"/>`);
  const content = joined([...start, include, ...(script ? [script] : []), end]);
  return {
    ...{ status, headers: headersOf(headers, content), content: new WholeContent([content]) },
    ...{ isPersonal: true, isForIncluder: true },
  };
}

/** Others that are about the bytes, as ETag, are for caches: no answer with data of one client has them. */
const REPLACED: ReadonlySet<string> = new Set([
  ...['content-length', 'content-digest', 'repr-digest', 'surrogate-control'],
]);

function headersOf(headers: HeaderList, { byteLength }: Uint8Array): readonly string[] {
  const kept = headers.filter((_text, at) => !REPLACED.has(headers[at & ~1]!.toLowerCase()));
  kept.push('Surrogate-Control', `${lifetimes(headers)}, content="ESI/1.0"`);
  kept.push('Content-Length', String(byteLength));
  return keptPrivate(kept, true);
}

/** How long what includes may keep the page: as a CDN, or as other shared caches. */
function lifetimes(headers: HeaderList): string {
  const [given] = [...CONTROLS].flatMap((name) => valueOf(headers, name) ?? []);
  const directives = readDirectives(given ?? '');
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age') ?? 0;
  const isKept = !FORBIDDING.some((each) => directives.has(each));
  if (!isKept || seconds === 0 || valueOf(headers, 'set-cookie') !== undefined) return 'no-store';
  return [`max-age=${seconds}`, ...stale(directives)].join(', ');
}

const CONTROLS = ['surrogate-control', 'cdn-cache-control', 'cache-control'];
const FORBIDDING = ['private', 'no-store', 'no-cache'];

function stale(directives: Directives): readonly string[] {
  return ['stale-while-revalidate', 'stale-if-error'].flatMap((name) => {
    const seconds = secondsOf(directives, name) ?? 0;
    return seconds > 0 ? [`${name}=${seconds}`] : [];
  });
}
