import { type CallEvent, channelOf } from '../../telemetry/channels.ts';
import { mergeProvenance } from '../../render/provenance.ts';
import type {
  CallRequest,
  CallEnding,
  CallResponse,
  SentResponse,
  UntaggedCall,
} from './call-request.ts';
import { isUnsafe } from '../../pages/policy/invalidation.ts';
import { CallCache, type CallCacheParts } from './cache/call-cache.ts';
import { tagsOfRule } from './cache/call-tags.ts';
import { provenanceOf } from './provenance.ts';
import { CallNotices } from './renders/call-notices.ts';
import { FailedCalls } from './renders/failed-calls.ts';
import type { OpenCall } from './renders/open-call.ts';
import type { ResolvedCallRules } from './rules/call-rules.ts';
import { InProcess } from './sending/in-process.ts';
import { Network } from './sending/network.ts';
import { OriginQueue } from './sending/origin-queue.ts';
import { readAhead } from './sending/read-ahead.ts';
import { followRedirect, isFollowed } from './sending/redirects.ts';
import { sendWithRetries } from './sending/retries.ts';
import { shownUrl } from './shown-url.ts';

const calls = channelOf('ng-ssr:call');

interface PublishedCall extends CallEnding {
  readonly render: object;
  readonly untagged: UntaggedCall;
}

export interface CallsParts extends CallCacheParts {
  /** The base href of the document that a page is rendered into. */
  readonly baseHrefOf: (page: URL) => string;
  /** How long a render may take, and so a call that has no time of its own. */
  readonly renderTimeoutMs: number;
}

/** The calls of all renders of a server: cached, joined, limited and sent. */
export class Calls {
  readonly rules: ResolvedCallRules;
  readonly notices: CallNotices;
  readonly failed: FailedCalls;
  readonly cache: CallCache;
  readonly baseHrefOf: (page: URL) => string;
  readonly inProcess: InProcess;
  readonly renderTimeoutMs: number;
  /** Calls whose render has ended. */
  readonly outliving: Set<OpenCall> = new Set();
  readonly #network: Network;
  readonly #queue = new OriginQueue();

  constructor(rules: ResolvedCallRules, parts: CallsParts) {
    this.rules = rules;
    this.notices = new CallNotices(parts.onError);
    this.failed = new FailedCalls(parts.onError);
    this.cache = new CallCache(parts, (call) => this.#send(call));
    this.baseHrefOf = parts.baseHrefOf;
    this.inProcess = new InProcess(parts.onError);
    this.#network = new Network(parts.onError);
    this.renderTimeoutMs = parts.renderTimeoutMs;
  }

  /** Ends the calls that no render waits for, when the server closes. */
  close(): void {
    this.cache.close();
    for (const open of this.outliving) open.abort('was in flight when the server closed');
  }

  /** @throws the reason of the call's signal; SsrError `NG_SSR_CALL_...`. */
  async perform(call: UntaggedCall): Promise<CallResponse> {
    return this.cache.answer({ ...call, tags: tagsOfRule(call) });
  }

  publish({ render, untagged, ...ending }: PublishedCall): void {
    if (!calls.hasSubscribers) return;
    const { method, url, page, rule } = untagged;
    const { timeMs, durationMs, status, error, bytes, result } = ending;
    const event: CallEvent = {
      ...{ render, name: page, method, url: shownUrl(url), rule: rule.pattern },
      ...{ timeMs, durationMs, status, error, bytes, result },
    };
    calls.publish(event);
  }

  async #send(call: CallRequest): Promise<CallResponse> {
    const sinceMs = performance.now();
    const { pages, ...sent } = await this.#sendInTurn(call);
    // Before a redirect that leads back to the same URL, as that of a form does.
    if (isUnsafe(call.method)) this.cache.invalidate(call, sent);
    const provenance = mergeProvenance([provenanceOf(call, sent, sinceMs), ...pages]);
    const response: CallResponse = { ...sent, result: 'bypass', provenance };
    return followRedirect(call, response, this.rules, (next) => this.perform(next));
  }

  async #sendInTurn(call: CallRequest): Promise<SentResponse> {
    const send = call.rule.inProcess ? this.inProcess.send : this.#network.send;
    const leave = await this.#queue.enter(call);
    if (leave === undefined) return sendWithRetries(call, send);
    try {
      const response = await sendWithRetries(call, send);
      // The place must be free for the next call, which may be one to the same origin.
      if (isFollowed(call, response)) leave();
      if (response.body instanceof ReadableStream) {
        return { ...response, body: readAhead(call, response.body, leave) };
      }
      leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
