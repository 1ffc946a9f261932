import { SsrError } from '../errors.ts';
import { isLoopback } from '../host/loopback.ts';
import { findPlatform, type Platform } from '../host/platforms.ts';
import type { ResolvedOptions } from './options.ts';

/**
 * What is wrong with the hosts of a server that starts: every request of a visitor would get 400. Loopback hosts alone
 * are fine on a developer's machine, and neither in production nor on a hosting platform.
 */
export function noticeOfHosts({
  allowedHosts,
  engine,
  files,
}: ResolvedOptions): SsrError | undefined {
  if (files.folder === undefined || typeof allowedHosts === 'function') return undefined;
  const platform = findPlatform(process.env);
  const isPublic = platform !== undefined || process.env['NODE_ENV'] === 'production';
  let hosts: readonly string[];
  try {
    hosts = [...new Set([...allowedHosts, ...(engine.allowedHosts?.() ?? [])])];
  } catch {
    // The first request reports it.
    return undefined;
  }
  if (hosts.some((host) => !isPublic || !isLoopback(host))) return undefined;
  const message =
    `${subject(hosts)} allowed: requests for other hosts get 400. Set allowedHosts, NG_ALLOWED_HOSTS=shop.example, or ` +
    `security.allowedHosts in angular.json.${platform === undefined ? '' : adviceFor(platform)}`;
  return new SsrError('NG_SSR_HOSTS_MISSING', message);
}

function subject(hosts: readonly string[]): string {
  if (hosts.length === 0) return 'No host is';
  return `Only ${hosts.join(' and ')} ${hosts.length === 1 ? 'is' : 'are'}`;
}

function adviceFor({ name, advice, hosts, made }: Platform): string {
  const further = advice === undefined ? '' : `; ${advice}`;
  const isKnown = hosts !== undefined || made !== undefined;
  const own = " To allow its own hosts: allowedHosts: ['shop.example', ...platformHosts()].";
  return ` This is ${name}${further}.${isKnown ? own : ''}`;
}
