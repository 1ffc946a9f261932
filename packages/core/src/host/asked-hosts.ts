import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../errors.ts';
import { isPromise } from '../platform/is-promise.ts';
import type { HostJudge, HostVerdict } from './host-check.ts';
import type { KnownHost } from './known-host.ts';

/** How many hosts are remembered, of those that are allowed and of the others: any client can request any host. */
const MOST_REMEMBERED = 10_000;
/** A server thread does not ask more often. */
const LEAST_MS = 1000;
/** How many hosts that are not known may be asked for at a time. */
const MOST_QUESTIONS = 100;
const TIMEOUT_MS = 5000;
/** While a host is asked for again, and after that has failed, its last verdict is used this long. */
const RETRY_MS = 5000;
/** A host without a request for this long, in addition to its time, is asked for before it is answered. */
const GRACE_MS = 60_000;
/** How long an allowed host stays allowed while the function fails. */
const KEPT_MS = 3_600_000;
const REPORT_EVERY_MS = 60_000;

/**
 * Asks a judge about hosts, once each, and remembers what it says. A refused host is asked for again when its time is
 * over; an allowed one meanwhile stays allowed, so that its requests do not wait.
 */
export class AskedHosts {
  readonly #judge: HostJudge;
  readonly #report: (error: SsrError) => void;
  readonly #timeoutMs: number;
  readonly #allowed = new Map<string, KnownHost>();
  /** Apart, so that hosts without end do not displace those that are allowed. */
  readonly #refused = new Map<string, KnownHost>();
  readonly #questions = new Map<string, Promise<KnownHost>>();
  /** A question is of no request: several may wait for it. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  /** @param report - Gets failures of the judge, at most one a minute. */
  constructor(judge: HostJudge, report: (error: SsrError) => void, timeoutMs: number = TIMEOUT_MS) {
    this.#judge = judge;
    this.#report = report;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The verdict on a host.
   *
   * @returns a promise while the judge is asked. It rejects with an SsrError `NG_SSR_HOST_UNDECIDED` if the judge
   * fails, and if too many hosts are asked for.
   */
  of(host: string): KnownHost | Promise<KnownHost> {
    const known = this.#allowed.get(host) ?? this.#refused.get(host);
    const nowMs = performance.now();
    if (known !== undefined && nowMs < known.usedUntilMs) return this.#touch(host, known);
    const question = this.#questions.get(host) ?? this.#ask(host, known);
    if (!isPromise(question)) return question;
    if (known === undefined || !mayBeUsed(known, nowMs)) return question;
    known.usedUntilMs = nowMs + RETRY_MS;
    question.catch(() => undefined);
    return known;
  }

  /** The same for a server thread, which remembers the verdict itself. */
  async judge(host: string): Promise<HostVerdict> {
    const { isAllowed, usedUntilMs } = await this.of(host);
    return { isAllowed, forMs: Math.max(LEAST_MS, usedUntilMs - performance.now()) };
  }

  #touch(host: string, known: KnownHost): KnownHost {
    if (known.isAllowed) {
      this.#allowed.delete(host);
      this.#allowed.set(host, known);
    }
    return known;
  }

  #ask(host: string, known: KnownHost | undefined): KnownHost | Promise<KnownHost> {
    if (known?.isAllowed !== true && this.#questions.size >= MOST_QUESTIONS) {
      const reason = `${MOST_QUESTIONS} hosts are already being checked`;
      return Promise.reject(this.#toFailure(host, reason, undefined));
    }
    let verdict: HostVerdict | Promise<HostVerdict>;
    try {
      verdict = this.#runAtStart(() => this.#judge(host));
    } catch (cause) {
      const failure = this.#toFailure(host, 'the function threw', cause);
      return this.#keep(host, known) ?? Promise.reject(failure);
    }
    if (!isPromise(verdict)) return this.#remember(host, verdict);
    const question = this.#settle(host, known, verdict).finally(() => this.#questions.delete(host));
    this.#questions.set(host, question);
    return question;
  }

  async #settle(
    host: string,
    known: KnownHost | undefined,
    verdict: Promise<HostVerdict>,
  ): Promise<KnownHost> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#timeoutMs).unref();
    });
    let failure: SsrError;
    try {
      const settled = await Promise.race([verdict, late]);
      if (settled !== undefined) return this.#remember(host, settled);
      failure = this.#toFailure(host, `no result within ${this.#timeoutMs} ms`, undefined);
    } catch (cause) {
      failure = this.#toFailure(host, 'the function failed', cause);
    } finally {
      clearTimeout(timer);
    }
    const kept = this.#keep(host, known);
    if (kept === undefined) throw failure;
    return kept;
  }

  #remember(host: string, { isAllowed, forMs }: HostVerdict): KnownHost {
    const nowMs = performance.now();
    const untilMs = nowMs + forMs;
    const known: KnownHost = {
      isAllowed,
      verdictAtMs: nowMs,
      renewAtMs: untilMs,
      usedUntilMs: untilMs,
      hasFailed: false,
    };
    const [hosts, others] = isAllowed
      ? [this.#allowed, this.#refused]
      : [this.#refused, this.#allowed];
    others.delete(host);
    hosts.delete(host);
    hosts.set(host, known);
    if (hosts.size > MOST_REMEMBERED) hosts.delete(hosts.keys().next().value!);
    return known;
  }

  /** An outage of the function does not end the sites that it has allowed. */
  #keep(host: string, known: KnownHost | undefined): KnownHost | undefined {
    const nowMs = performance.now();
    if (known?.isAllowed !== true || nowMs >= known.verdictAtMs + KEPT_MS) {
      this.#allowed.delete(host);
      return undefined;
    }
    known.hasFailed = true;
    known.usedUntilMs = nowMs + RETRY_MS;
    return known;
  }

  /** Reports it, unless another was reported just before. */
  #toFailure(host: string, reason: string, cause: unknown): SsrError {
    const message =
      `allowedHosts did not decide on the host ${host}: ${reason}. Hosts that were allowed in the last hour ` +
      'stay allowed; requests for others get 503. The next request asks again. This is reported once a minute.';
    const failure = new SsrError('NG_SSR_HOST_UNDECIDED', message, { cause });
    const nowMs = performance.now();
    if (nowMs >= this.#reportedAtMs + REPORT_EVERY_MS) {
      this.#reportedAtMs = nowMs;
      this.#report(failure);
    }
    return failure;
  }
}

/** Whether requests for the host need not wait for its renewal. */
function mayBeUsed(
  { isAllowed, verdictAtMs, renewAtMs, hasFailed }: KnownHost,
  nowMs: number,
): boolean {
  if (!isAllowed) return false;
  return nowMs < (hasFailed ? verdictAtMs + KEPT_MS : renewAtMs + GRACE_MS);
}
