import { assertKnownOptions, check, isList, isOptionObject } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { Endpoint } from './endpoint.ts';
import type { OwnCore, OwnExtension, OwnFeature } from './own-feature.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { Said, Substitute } from './substitute.ts';

/** The members of an extension that are called. */
const CALLED = [
  ...['onMiss', 'finish', 'noteError', 'open', 'start', 'close'],
  ...['findOther', 'wrap', 'countRequests', 'useRoutes', 'heldBytes'],
] as const;
const OTHERS = ['endpoints', 'substitutes', 'file', 'delaysReady', 'log'];

/**
 * Installs a feature. What it gives is checked, and what it does is watched: a mistake is an error that names it.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` for an extension of the wrong shape, `NG_SSR_FEATURE_FAILED`
 * with what `install` has thrown, unless that is an SsrError.
 */
export function installFeature(feature: OwnFeature, core: OwnCore): OwnExtension {
  const { name } = feature;
  const toError = (what: string, cause: unknown): SsrError =>
    cause instanceof SsrError
      ? cause
      : new SsrError('NG_SSR_FEATURE_FAILED', `the feature ${name} ${what}`, { cause });
  let extension: OwnExtension;
  try {
    extension = feature.install(core);
  } catch (cause) {
    throw toError('could not be installed', cause);
  }
  checkExtension(`the extension of ${name}`, extension);
  const watch = new Watch(name, core, toError);
  const { endpoints, substitutes, onMiss, finish } = extension;
  return {
    ...extension,
    ...(endpoints && { endpoints: endpoints.map((each) => watch.endpoint(each)) }),
    ...(substitutes && { substitutes: substitutes.map((each) => watch.substitute(each)) }),
    ...(onMiss && { onMiss: (visit) => watch.call(() => onMiss(visit), undefined) }),
    ...(finish && { finish: (answer, visit) => watch.call(() => finish(answer, visit), answer) }),
  };
}

function checkExtension(name: string, extension: OwnExtension): void {
  const isObject = isOptionObject(extension) && !('then' in extension);
  check(name, extension, isObject, 'an object, as { substitutes: [...] }, and no promise');
  assertKnownOptions(extension, [...CALLED, ...OTHERS], name);
  for (const member of CALLED) {
    const given = extension[member];
    check(`${name}.${member}`, given, given === undefined || isFunction(given), 'a function');
  }
  const { endpoints, file, substitutes } = extension;
  checkList(`${name}.endpoints`, endpoints, ['matches', 'answer', 'says']);
  checkList(`${name}.substitutes`, substitutes, ['answer']);
  checkList(`${name}.file`, file && [file], ['find', 'says']);
}

function checkList(name: string, list: unknown, called: readonly string[]): void {
  const isFit =
    list === undefined ||
    isList(list, (item) => called.every((each) => isFunction((Object(item) as never)[each])));
  check(name, list, isFit, `objects with the functions ${called.join(', ')}`);
}

function isFunction(given: unknown): boolean {
  return typeof given === 'function';
}

/** What a feature does while the server runs. */
class Watch {
  readonly #name: string;
  readonly #core: OwnCore;
  readonly #toError: (what: string, cause: unknown) => SsrError;

  constructor(name: string, core: OwnCore, toError: (what: string, cause: unknown) => SsrError) {
    this.#name = name;
    this.#core = core;
    this.#toError = toError;
  }

  endpoint(endpoint: Endpoint): Endpoint {
    return {
      matches: (request) => this.call(() => endpoint.matches(request), false),
      answer: async (request) => this.#answerOf(request, () => endpoint.answer(request)) as never,
      says: (request) => this.#say(() => endpoint.says(request))!,
    };
  }

  substitute(substitute: Substitute): Substitute {
    const watched: Substitute = {
      answer: (asked, request, isBackground) =>
        this.#answerOf(request, () => substitute.answer(asked, request, isBackground)),
    };
    if (substitute.says === undefined) return watched;
    return { ...watched, says: (request) => this.#say(() => substitute.says!(request)) };
  }

  /** Calls what must not throw. What it throws is reported all the same. */
  call<Value>(run: () => Value, otherwise: Value): Value {
    try {
      return run();
    } catch (cause) {
      this.#core.report(this.#toError('has thrown', cause));
      return otherwise;
    }
  }

  #answerOf(
    { method, target }: ParsedRequest,
    answer: () => Answer | Promise<Answer | undefined> | undefined,
  ): Answer | Promise<Answer | undefined> | undefined {
    const fail = (cause: unknown): never => {
      throw this.#toError(`could not answer ${method} ${target}`, cause);
    };
    const checked = (given: Answer | undefined): Answer | undefined => {
      if (given !== undefined && !isAnswer(given)) {
        const allowed =
          'a status, a flat list of names and values, and the bytes of a body or null';
        fail(new TypeError(`it has given ${describe(given)} in place of an Answer: ${allowed}`));
      }
      return given;
    };
    try {
      const given = answer();
      return given instanceof Promise ? given.then(checked).catch(fail) : checked(given);
    } catch (cause) {
      return fail(cause);
    }
  }

  #say(says: () => Said | undefined): Said | undefined {
    try {
      return says();
    } catch (cause) {
      const reasons = [`The feature ${this.#name} could not say what it does: ${String(cause)}.`];
      return { answer: 'server', status: undefined, reasons };
    }
  }
}

function isAnswer(given: unknown): boolean {
  const { status, headers, body } = Object(given) as Partial<Answer>;
  const isStatus = Number.isInteger(status) && status! >= 200 && status! <= 599;
  const isFlat = isList(headers, (text) => typeof text === 'string') && headers!.length % 2 === 0;
  return isStatus && isFlat && (body === null || body instanceof Uint8Array);
}

function describe(given: unknown): string {
  if (given instanceof Response) return 'a Response';
  return given instanceof Object ? 'an object of another shape' : String(given);
}
