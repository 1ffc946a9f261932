import type { CallsOptions } from '../calls/rules/call-rule.ts';
import { check, isOptionObject } from '../check-option.ts';
import type { SsrError } from '../errors.ts';
import { assertHostPattern } from '../host/allowed-hosts.ts';
import type { HostCheck } from '../host/host-check.ts';
import { nameSourcesOfCauses } from '../name-sources.ts';
import { toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { RouteRule } from '../pages/options/cache-options.ts';
import { ErrorLog } from './error-log.ts';

type OnError = (error: SsrError) => void;

export function resolveAllowedHosts(
  allowedHosts: readonly string[] | HostCheck | undefined,
): readonly string[] | HostCheck {
  if (typeof allowedHosts === 'function') return allowedHosts;
  const source = allowedHosts === undefined ? 'NG_ALLOWED_HOSTS' : 'allowedHosts';
  const hosts = allowedHosts ?? readListFromEnv('NG_ALLOWED_HOSTS') ?? [];
  check(
    source,
    hosts,
    Array.isArray(hosts),
    'a list of host names, or a function (host) => boolean | Promise<boolean>',
  );
  for (const host of hosts) assertHostPattern(host, source);
  return hosts;
}

export function resolveTrust(
  trust: boolean | readonly string[] | undefined,
): boolean | readonly string[] {
  const source = trust === undefined ? 'NG_TRUST_PROXY_HEADERS' : 'trustProxyHeaders';
  const resolved = trust ?? readListFromEnv('NG_TRUST_PROXY_HEADERS') ?? false;
  const isKnown = typeof resolved === 'boolean' || Array.isArray(resolved);
  check(source, resolved, isKnown, 'true, false or a list of field names');
  toProxyHeaderPredicate(resolved, source);
  return resolved;
}

export function resolveRouteRules(
  rules: Readonly<Record<string, RouteRule>> | undefined,
  calls: CallsOptions | undefined,
): Readonly<Record<string, RouteRule>> {
  if (rules === undefined) return {};
  check('routeRules', rules, isOptionObject(rules), 'an object of rules by path');
  for (const [pattern, rule] of calls === undefined ? Object.entries(rules) : []) {
    const lifetime = (rule as RouteRule | null | undefined)?.lifetime;
    const name = `routeRules[${JSON.stringify(pattern)}].lifetime`;
    check(name, lifetime, lifetime === undefined, 'a lifetime only together with the option calls');
  }
  return rules;
}

export function resolveServerTiming(serverTiming = false): boolean {
  check('serverTiming', serverTiming, typeof serverTiming === 'boolean', 'true or false');
  return serverTiming;
}

export function resolveErrorDetails(details: boolean): boolean {
  check('errorDetails', details, typeof details === 'boolean', 'true or false');
  return details;
}

export function resolveOnError(onError: OnError | undefined): OnError {
  const log = new ErrorLog();
  if (onError === undefined) {
    return (error) => {
      nameSourcesOfCauses(error);
      log.log(error);
    };
  }
  check('onError', onError, typeof onError === 'function', 'a function (error) => void');
  return (error) => {
    nameSourcesOfCauses(error);
    try {
      onError(error);
    } catch (cause) {
      log.log(error);
      console.error('ng-ssr: onError has thrown', cause);
    }
  };
}

function readListFromEnv(name: string): readonly string[] | undefined {
  const values = (globalThis.process?.env?.[name] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? undefined : values;
}
