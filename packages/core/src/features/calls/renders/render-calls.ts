import { SsrError } from '../../../errors.ts';
import type { Call, CallAnswer, CallMaker } from '../../../render/call.ts';
import { type ChainLink, isLinked, loopError, pageLink } from '../../../render/call-chain.ts';
import type { CallsMade } from '../../../render/calls-made.ts';
import type { RenderJob } from '../../../render/render-job.ts';
import type { CallEnding, CallResponse, UntaggedCall } from '../call-request.ts';
import { callError } from '../call-errors.ts';
import type { Calls } from '../calls.ts';
import { keyOf } from '../cache/call-key.ts';
import { CallRecord } from './call-record.ts';
import type { EndedCall } from './call-notices.ts';
import { callLink } from '../sending/in-process.ts';
import { forwardHeaders } from './forward-headers.ts';
import { OpenCall } from './open-call.ts';
import { PageCredentials } from './page-credentials.ts';
import { isOrdinary } from '../rules/ordinary-headers.ts';

/** The calls of one render: each gets its rule and the headers that it forwards. */
export class RenderCalls implements CallMaker {
  readonly #calls: Calls;
  readonly #job: RenderJob;
  readonly #render: object;
  readonly #origin: string;
  readonly baseUrl: string;
  readonly #chain: readonly ChainLink[];
  readonly #record: CallRecord;
  readonly #open = new Set<OpenCall>();
  readonly #ended: EndedCall[] = [];
  /** Headers of the page's request that calls have got, or would have got if the request had them. */
  readonly forwarded: Set<string> = new Set();
  /** Undefined for a page of a shared route, whose request has nothing of one client. */
  readonly #credentials: PageCredentials | undefined;
  #isEnded = false;

  /** @param render - Names the render in events. */
  constructor(calls: Calls, job: RenderJob, render: object) {
    this.#calls = calls;
    this.#job = job;
    this.#render = render;
    const page = new URL(job.request.url);
    this.#origin = page.origin;
    this.baseUrl = new URL(calls.baseHrefOf(page), this.#origin).href;
    this.#chain = [...(job.chain ?? []), pageLink(this.#origin, job.name)];
    this.#record = new CallRecord();
    this.#credentials = job.isShared ? undefined : new PageCredentials(job.request);
  }

  get isOver(): boolean {
    return this.#isEnded;
  }

  async make(call: Call): Promise<CallAnswer> {
    const url = new URL(call.url);
    const rule = this.#calls.rules.find(url, this.#origin);
    const { name: page, request } = this.#job;
    call.signal?.throwIfAborted();
    if (this.#isEnded && !call.isKeptAlive) {
      const named = { method: call.method, url, page };
      throw callError('NG_SSR_CALL_ENDED', named, 'was made after the render had ended');
    }
    const chain = this.#chain;
    const link = callLink({ method: call.method, url });
    if (isLinked(chain, link)) {
      this.#record.noteLoop();
      throw loopError(chain, link);
    }
    const { forwarded, names, withheld } = forwardHeaders(rule.forward, request, call);
    for (const name of names) this.forwarded.add(name);
    const controller = new AbortController();
    const isPersonal = this.#credentials?.areIn(call.headers) === true;
    const untagged: UntaggedCall = {
      ...{ ...call, url, rule, page, pageOrigin: this.#origin, chain, forwarded, isPersonal },
      ...{ signal: controller.signal, render: this.#render },
    };
    const record = this.#record.begin(isPersonal);
    const isVisitors = isPersonal || forwarded.some((name) => !isOrdinary(name));
    const isTied = isVisitors && !call.isKeptAlive;
    const open = new OpenCall(untagged, controller, { callers: call.signal, isTied }, (ending) => {
      this.#open.delete(open);
      this.#calls.outliving.delete(open);
      record(ending.response);
      this.#calls.publish({ render: this.#render, untagged, ...ending });
      this.#calls.failed.note(untagged, ending.status, ending.thrown);
      this.#ended.push({ ...toEnded(untagged, ending), withheld });
    });
    this.#open.add(open);
    if (this.#isEnded) this.#outlive(open);
    let response: CallResponse;
    try {
      response = await this.#calls.perform(untagged);
    } catch (error) {
      if (error instanceof SsrError && error.code === 'NG_SSR_CALL_LOOP') this.#record.noteLoop();
      throw open.fail(error);
    }
    return open.answer(response);
  }

  /**
   * Ends the calls of the visitor that are in flight, and says what the page depends on. Another render may wait for a call
   * that has nothing of the visitor, such as that for a configuration which a module keeps: it goes on.
   *
   * @param body - The rendered page; undefined without one.
   */
  end(body?: Uint8Array): CallsMade {
    const made = this.#record.end();
    if (!this.#isEnded) this.#calls.notices.look(this.#job.name, this.#ended, body);
    if (!this.#isEnded) for (const open of this.#open) this.#outlive(open);
    this.#isEnded = true;
    return made;
  }

  #outlive(open: OpenCall): void {
    this.#calls.outliving.add(open);
    open.outlive(this.#calls.renderTimeoutMs);
  }
}

function toEnded(
  untagged: UntaggedCall,
  { bytes, durationMs, result }: CallEnding,
): Omit<EndedCall, 'withheld'> {
  const { method, url, rule } = untagged;
  const untilMs = performance.now();
  return {
    ...{ method, url, rule: rule.pattern, bytes, result },
    joinKey: keyOf(untagged)?.flight,
    ...{ sinceMs: untilMs - durationMs, untilMs },
  };
}
