import { SsrError, toLogLine } from '../errors.ts';
import { parseAuthority } from './authority.ts';
import { type Environment, findPlatform } from './platforms.ts';

/**
 * Returns the hosts that the hosting platform gives this process, for `allowedHosts`. Reads the variables of Vercel,
 * Netlify, Render, Fly.io, Heroku, Railway, Koyeb, Azure Container Apps, Azure App Service and AWS Amplify Hosting.
 * Elsewhere the list is empty.
 *
 * @param onError - Gets one `NG_SSR_OPTION_INVALID` if variables have values that are no hosts; these are left out.
 * Default: one line on stderr.
 * @example
 * ```ts
 * createNodeSsrServer({ engine: appEngine(), allowedHosts: ['shop.example', ...platformHosts()] });
 * ```
 */
export function platformHosts(onError: (error: SsrError) => void = logNotice): string[] {
  const env: Environment = process.env;
  const platform = findPlatform(env);
  if (platform === undefined) return [];
  const hosts = new Set<string>();
  const malformed: string[] = [];
  const add = (value: string | undefined, name: string): void => {
    if (value === undefined || value.trim() === '') return;
    const host = toHost(value.trim());
    if (host === undefined) malformed.push(`${name}=${JSON.stringify(value.slice(0, 100))}`);
    else hosts.add(host);
  };
  for (const host of platform.made?.(env) ?? []) add(host, 'the host of the app');
  for (const name of platform.hosts ?? []) add(env[name], name);
  if (malformed.length > 0) {
    const message =
      `platformHosts() on ${platform.name}: no host is in ${malformed.join(', ')}; allowed: a host name, with or ` +
      'without scheme and port';
    onError(new SsrError('NG_SSR_OPTION_INVALID', message));
  }
  return [...hosts];
}

/** The host of a name, of a name with a port, or of an origin. */
function toHost(value: string): string | undefined {
  const authority = value.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const host = parseAuthority(authority)?.hostname.replace(/\.$/, '');
  return host === '' ? undefined : host;
}

function logNotice(error: SsrError): void {
  console.error(toLogLine(error));
}
