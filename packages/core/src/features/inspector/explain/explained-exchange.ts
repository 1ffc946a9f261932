import { SsrError } from '../../../errors.ts';
import type { Exchange } from '../../../exchange.ts';
import type { ExplainRequest } from '../protocol.ts';

const MOST_CHARACTERS = 16_384;
/** Scheme, authority, and target. */
const ABSOLUTE = /^(https?):\/\/([^/?#\\]+)([/?][^#]*)?(?:#.*)?$/is;
/** What a browser escapes before it sends a target. */
const ESCAPED = /[^\x21-\x7e]+/g;

/**
 * The GET request that an explanation is about.
 *
 * @param asked - The inspector's own request, of whose host a URL without one is.
 * @throws SsrError `NG_SSR_INSPECTOR_INVALID`
 */
export function toExplainedExchange(request: unknown, asked: Exchange): Exchange {
  const { url, headers } = checkRequest(request);
  const [, scheme, host, written = '/'] = ABSOLUTE.exec(url) ?? [];
  const received = scheme === undefined ? url.split('#', 1)[0]! : written;
  const target = (received.startsWith('?') ? `/${received}` : received).replace(ESCAPED, encode);
  const values = new Map<string, string>();
  const ownHost = host ?? asked.header('host');
  if (ownHost !== undefined) values.set('host', ownHost);
  for (const [name, value] of Object.entries(headers ?? {})) values.set(name.toLowerCase(), value);
  return {
    method: 'GET',
    target,
    targetBelowMount: belowMount(target, asked),
    encrypted: scheme === undefined ? asked.encrypted : scheme.toLowerCase() === 'https',
    localPort: asked.localPort,
    status: 200,
    header: (name) => values.get(name),
    headers: () => values,
    content: () => Promise.resolve(new Uint8Array()),
  };
}

function checkRequest(request: unknown): ExplainRequest {
  const { url, headers } = Object(request) as Partial<ExplainRequest>;
  const isUrl =
    typeof url === 'string' &&
    url.length <= MOST_CHARACTERS &&
    (url.startsWith('/') || ABSOLUTE.test(url));
  check(
    'url',
    url,
    isUrl,
    'an http or https URL, or a path that starts with "/", of at most 16384 characters',
  );
  const areHeaders =
    headers === undefined ||
    (typeof headers === 'object' &&
      headers !== null &&
      Object.values(headers).every((value) => typeof value === 'string'));
  check('headers', headers, areHeaders, 'an object of strings, or nothing');
  return { url: url!, headers };
}

function check(name: string, value: unknown, isAllowed: boolean, allowed: string): void {
  if (isAllowed) return;
  const shown = (JSON.stringify(value) ?? 'undefined').slice(0, 200);
  throw new SsrError('NG_SSR_INSPECTOR_INVALID', `${name} is ${shown}; allowed: ${allowed}`);
}

function encode(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** Adapters take the framework's mount path off: the same as off the inspector's own request. */
function belowMount(target: string, { target: own, targetBelowMount }: Exchange): string {
  if (targetBelowMount === undefined || !own.endsWith(targetBelowMount)) return target;
  const mount = own.slice(0, own.length - targetBelowMount.length);
  if (mount === '' || !target.startsWith(mount)) return target;
  const below = target.slice(mount.length);
  return below.startsWith('/') ? below : target;
}
