import { SsrError } from '../errors.ts';
import { withoutPorts } from '../host/allowed-hosts.ts';
import { findPlatform, type Platform } from '../host/platforms.ts';
import type { ResolvedOptions } from './options.ts';

/** Hosts by which only this machine reaches the server. */
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * What is wrong with the hosts of a server that starts: every request would get 400. With local hosts alone a server
 * is fine on a developer's machine, and not on a hosting platform.
 */
export function noticeOfHosts({
  allowedHosts,
  engine,
  files,
}: ResolvedOptions): SsrError | undefined {
  if (files.folder === undefined || typeof allowedHosts === 'function') return undefined;
  const platform = findPlatform(process.env);
  if (allowedHosts.some((host) => platform === undefined || !isLocal(host))) {
    return undefined;
  }
  try {
    if ((engine.allowedHosts?.() ?? []).length > 0) return undefined;
  } catch {
    // The first request reports it.
    return undefined;
  }
  const allowed =
    allowedHosts.length === 0 ? 'No host is' : `Only ${allowedHosts.join(' and ')} are`;
  const message =
    `${allowed} allowed: requests for other hosts get 400. Set allowedHosts, or NG_ALLOWED_HOSTS=shop.example, or ` +
    `security.allowedHosts in angular.json.${platform === undefined ? '' : adviceFor(platform)}`;
  return new SsrError('NG_SSR_HOSTS_MISSING', message);
}

/** Whether an entry is a host of {@link LOCAL_HOSTS}, at any port. */
function isLocal(entry: string): boolean {
  return LOCAL_HOSTS.includes(withoutPorts([entry])[0]!);
}

function adviceFor({ name, advice, hosts, made }: Platform): string {
  const further = advice === undefined ? '' : `; ${advice}`;
  const isKnown = hosts !== undefined || made !== undefined;
  const own = " Its own hosts are allowed with allowedHosts: ['shop.example', ...platformHosts()].";
  return ` This is ${name}${further}.${isKnown ? own : ''}`;
}
