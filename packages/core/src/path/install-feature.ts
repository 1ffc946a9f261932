import { assertKnownOptions, check, isList, isOptionObject } from '../check-option.ts';
import { isSsrError, SsrError } from '../errors.ts';
import type { Answer, StreamedAnswer } from '../exchange.ts';
import { withheldFromEdge } from '../http/edge-headers.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import { isLeftAlone, isPromise } from '../platform/is-promise.ts';
import type { Resource } from '../answers/resource.ts';
import type { Endpoint } from './endpoint.ts';
import type { HeldFile } from './feature.ts';
import { isOwn } from './own.ts';
import type { OwnCore, OwnExtension, OwnFeature } from './own-feature.ts';
import type { FeatureRequest } from './feature-request.ts';
import type { Said, InstalledSubstitute, Substitute } from './substitute.ts';
import { areSendable, describe, isAnswer, refusePromise } from './returned-answer.ts';
import { type Member, watchMembers } from './watch-members.ts';

type Given = ReturnType<Substitute['answer']>;

/** The members of an extension that are called. */
const CALLED = ['onMiss', 'finish', 'noteError', 'open', 'start', 'close'] as const;
/** Those of the features of these packages alone. */
const OWN = [
  'log',
  'findOther',
  'downstream',
  'timePage',
  'completion',
  'openTier',
  'wrap',
  'countAnswered',
  'unmatched',
  'useRoutes',
  'heldBytes',
  'describe',
] as const;
const OTHERS = ['endpoints', 'substitutes', 'file', 'delaysReady'];

/**
 * Installs a feature. What it gives is checked, and what it does is watched: a mistake is an error that names it.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` for an extension of the wrong shape, `NG_SSR_FEATURE_FAILED`
 * with what `install` has thrown, unless that is an SsrError.
 */
export function installFeature(feature: OwnFeature, core: OwnCore): OwnExtension {
  const { name } = feature;
  const toError = (what: string, cause: unknown): SsrError =>
    isSsrError(cause)
      ? cause
      : new SsrError('NG_SSR_FEATURE_FAILED', `the feature ${name} ${what}`, { cause });
  let given: OwnExtension;
  try {
    given = feature.install(core);
  } catch (cause) {
    throw toError('could not be installed', cause);
  }
  const isOurs = isOwn(feature);
  checkExtension(`the extension of ${name}`, given, isOurs ? OWN : []);
  const watch = new Watch(name, core, toError);
  const extension: { -readonly [member in keyof OwnExtension]: OwnExtension[member] } = {
    ...watchMembers(given, ['onMiss'], watch.tell),
    ...watchMembers(given, ['open'], watch.open),
    // Its own error would come back to noteError.
    ...watchMembers(given, ['noteError', 'start', 'close']),
  };
  for (const member of isOurs ? OWN : []) {
    if (Object.hasOwn(given, member)) Object.assign(extension, { [member]: given[member] });
  }
  const { delaysReady, endpoints, file, substitutes } = given;
  if (delaysReady !== undefined) extension.delaysReady = delaysReady;
  if (endpoints) extension.endpoints = endpoints.map((each) => watch.endpoint(each));
  if (substitutes) extension.substitutes = substitutes.map((each) => watch.substitute(each));
  if (file) extension.file = watch.file(file);
  if (given.finish) {
    extension.finish = (answer, request) =>
      watch.finish(answer, () => given.finish!(answer, request), isOurs);
  }
  return extension;
}

function checkExtension(name: string, extension: OwnExtension, own: readonly string[]): void {
  const isObject = isOptionObject(extension) && !('then' in extension);
  check(name, extension, isObject, 'an object, as { substitutes: [...] }, not a promise');
  const { trait } = extension as { readonly trait?: unknown };
  const where = 'a trait beside install, as in { name, trait, install }';
  check(`${name}.trait`, trait, trait === undefined, where);
  // What a class has besides is its own.
  if (Object.getPrototypeOf(extension) === Object.prototype) {
    assertKnownOptions(extension, [...CALLED, ...OTHERS, ...own], name);
  }
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
  if (list === undefined) return;
  const allowed = `objects with the functions ${called.join(', ')}`;
  const areObjects = isList(list, (item) => Object(item) === item);
  check(name, list, areObjects, allowed);
  for (const [at, item] of (list as readonly Record<string, unknown>[]).entries()) {
    for (const each of called) {
      check(`${name}[${at}].${each}`, item[each], isFunction(item[each]), 'a function');
    }
  }
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
      ...(endpoint.route && { route: endpoint.route }),
      matches: (request) => this.call(() => endpoint.matches(request), false),
      answer: async (request) => {
        // Unlike a substitute, it has no other to be asked after it.
        const answer = async (): Promise<Answer> => (await endpoint.answer(request)) ?? null!;
        return this.#answerOf(request, answer) as never;
      },
      says: (request) => this.#say(() => endpoint.says(request))!,
    };
  }

  substitute(substitute: Substitute): InstalledSubstitute {
    const watched: Substitute = {
      answer: (asked, request, isBackground) =>
        this.#answerOf(request, () => substitute.answer(asked, request, isBackground)),
    };
    if (substitute.says === undefined) return { ...watched, silentFeature: this.#name };
    return { ...watched, says: (request) => this.#say(() => substitute.says!(request)) };
  }

  file(file: HeldFile): HeldFile {
    return {
      find: (request) => {
        const found = this.call(() => file.find(request), undefined);
        const { identity } = Object(found) as Partial<Resource>;
        if (found === undefined || Object(identity) === identity) return found;
        this.#report(new TypeError('its file is not of heldFile()'));
        return undefined;
      },
      says: (request) => this.#say(() => file.says(request)),
    };
  }

  /** Opens it before the first request: what it throws ends the start. */
  readonly open = (run: Member): Member => {
    return () => {
      try {
        isLeftAlone(run(), this.#report);
      } catch (cause) {
        throw this.#toError('could not be opened', cause);
      }
    };
  };

  /** The answer with its headers; without them if they cannot be sent. An edge keeps no answer with those of one client. */
  finish<Sent extends Answer | StreamedAnswer>(
    answer: Sent,
    run: () => Sent,
    isOurs: boolean,
  ): Sent {
    const finished = this.call(run, answer);
    if (isOurs || finished === answer) return finished;
    const { body, content } = Object(finished) as Partial<Answer & StreamedAnswer>;
    const isWhole = 'content' in answer ? content === answer.content : body !== undefined;
    const isFit = isWhole && isAnswer({ ...finished, body: body ?? null });
    if (!isFit || !areSendable(finished)) {
      this.#report(new TypeError(`finish returned ${describe(finished)} instead of type Answer`));
      return answer;
    }
    const isChanged = ofCaches(finished.headers) !== ofCaches(answer.headers);
    const { isPersonal, isForIncluder } = answer as Partial<StreamedAnswer>;
    const marks = { ...(isPersonal && { isPersonal }), ...(isForIncluder && { isForIncluder }) };
    const kept = { ...finished, ...marks };
    return isChanged ? { ...kept, headers: withheldFromEdge(kept.headers) } : kept;
  }

  /** Calls what must not throw, nor give a promise. What it throws is reported all the same. */
  call<Value>(run: () => Value, otherwise: Value): Value {
    try {
      const value = run();
      if (!isLeftAlone(value, this.#report)) return value;
      return refusePromise();
    } catch (cause) {
      this.#report(cause);
      return otherwise;
    }
  }

  /** Tells what has happened. A promise may take its time; what it rejects with is reported. */
  readonly tell = (run: Member): Member => {
    return (...args) => {
      try {
        isLeftAlone(run(...args), this.#report);
      } catch (cause) {
        this.#report(cause);
      }
    };
  };

  readonly #report = (cause: unknown): void => {
    this.#core.report(this.#toError('threw', cause));
  };

  #answerOf(request: FeatureRequest, answer: () => Given): Given {
    const fail = (cause: unknown): never => {
      throw this.#toError(`could not answer ${request.method} ${request.target}`, cause);
    };
    const checked = (given: Answer | undefined): Answer | undefined => {
      if (given !== undefined && !(isAnswer(given) && areSendable(given))) {
        const instead = 'instead of type Answer: use createAnswer()';
        fail(new TypeError(`it returned ${describe(given)} ${instead}`));
      }
      if (given !== undefined) (request as ParsedRequest).hasOwnQuery = true;
      return given;
    };
    try {
      const given = answer();
      return isPromise(given) ? Promise.resolve(given).then(checked).catch(fail) : checked(given);
    } catch (cause) {
      return fail(cause);
    }
  }

  #say(says: () => Said | undefined): Said | undefined {
    try {
      return says();
    } catch (cause) {
      const reason = `The feature ${this.#name} could not explain its response: ${String(cause)}.`;
      return { answer: 'server', status: undefined, reasons: [reason] };
    }
  }
}

/** Headers by which caches would keep an answer in another way than its page is stored. */
const OF_CACHES: ReadonlySet<string> = new Set(['set-cookie', 'cache-control', 'vary', 'expires']);

function ofCaches(headers: HeaderList): string {
  return headers.filter((_text, at) => OF_CACHES.has(headers[at & ~1]!.toLowerCase())).join('\n');
}
