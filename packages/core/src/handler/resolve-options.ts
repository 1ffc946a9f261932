import { check, isOptionObject } from '../check-option.ts';
import type { RenderEngine } from '../engine.ts';
import { SsrError } from '../errors.ts';
import { assertHostPattern } from '../host/allowed-hosts.ts';
import type { HostCheck } from '../host/host-check.ts';
import { nameSourcesOfCauses } from '../name-sources.ts';
import { toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { callable } from '../options/option-values.ts';
import { option, type Option, optional, withDefault } from '../options/option.ts';
import type { RouteRule } from '../pages/options/cache-options.ts';
import { ErrorLog } from './error-log.ts';

/** The functions that make engines, in builds that keep their names. */
const FACTORIES: readonly string[] = ['appEngine', 'commonEngine', 'angularAppEngine'];

const engineFunction = callable<RenderEngine>(
  'appEngine(), commonEngine(), or a function (request) => Response | null',
);

export const engine: Option<RenderEngine> = (option, given) => {
  const made = engineFunction(option, given);
  if (!FACTORIES.includes(made.name) || made.setup !== undefined) return made;
  const message = `${option} is the function ${made.name}: call it, as in engine: ${made.name}()`;
  throw new SsrError('NG_SSR_OPTION_INVALID', message);
};

export const allowedHosts: Option<readonly string[] | HostCheck> = (option, given) => {
  if (typeof given === 'function') return given as HostCheck;
  const name = given === undefined ? 'NG_ALLOWED_HOSTS' : option;
  const hosts = given ?? readListFromEnv('NG_ALLOWED_HOSTS') ?? [];
  const isShort = typeof hosts === 'string' && hosts.length < 100;
  const example = isShort ? `, as in ${JSON.stringify([hosts])},` : ',';
  check(
    name,
    hosts,
    Array.isArray(hosts),
    `a list of host names${example} or a function (host) => boolean | Promise<boolean>`,
  );
  for (const host of hosts as readonly string[]) assertHostPattern(host, name);
  return hosts as readonly string[];
};

export const trustProxyHeaders: Option<boolean | readonly string[]> = (option, given) => {
  const name = given === undefined ? 'NG_TRUST_PROXY_HEADERS' : option;
  const trust = given ?? readListFromEnv('NG_TRUST_PROXY_HEADERS') ?? false;
  const isKnown = typeof trust === 'boolean' || Array.isArray(trust);
  const allowed = 'true, false or a list of header names, as in ["x-forwarded-host"]';
  check(name, trust, isKnown, allowed);
  toProxyHeaderPredicate(trust as readonly string[], name);
  return trust as readonly string[];
};

type RouteRulesOption = Readonly<Record<string, RouteRule>>;

/** The rules are checked where the base href is known. */
export const routeRules: Option<RouteRulesOption> = withDefault(
  option<RouteRulesOption>(
    isOptionObject,
    "an object of rules by path, as in { '/products/**': { sMaxAge: 60 } }",
  ),
  {},
);

type OnError = (error: SsrError) => void;

const callback = optional(callable<OnError>('a function (error) => void'));

export const onError: Option<OnError> = (name, given) => {
  const own = callback(name, given);
  const log = new ErrorLog();
  if (own === undefined) {
    return (error) => {
      nameSourcesOfCauses(error);
      log.log(error);
    };
  }
  return (error) => {
    nameSourcesOfCauses(error);
    const fail = (cause: unknown): void => {
      log.log(error);
      console.error('ng-ssr: onError threw', cause);
    };
    try {
      const returned: unknown = own(error);
      // A rejection that nothing handles would end the process. Zone.js has a Promise of its own.
      if (returned instanceof Object && 'then' in returned) Promise.resolve(returned).catch(fail);
    } catch (cause) {
      fail(cause);
    }
  };
};

function readListFromEnv(name: string): readonly string[] | undefined {
  const values = (globalThis.process?.env?.[name] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? undefined : values;
}
