import type { Call, CallAnswer } from '../../render/call.ts';
import type { ChainLink } from '../../render/call-chain.ts';
import type { Provenance } from '../../render/provenance.ts';
import type { CallEvent, CallResult } from '../../telemetry/channels.ts';
import type { ResolvedCallRule } from './rules/call-rule.ts';

/** A call with its rule, and with the headers that the rule forwards. */
export interface CallRequest extends Omit<
  Call,
  'url' | 'signal' | 'isCredentialed' | 'isKeptAlive'
> {
  readonly url: URL;
  readonly rule: ResolvedCallRule;
  readonly tags: readonly string[];
  /** The render that calls: a response for one client alone is for its calls. Undefined if no render waits for it. */
  readonly render: object | undefined;
  /** Whether it carries credentials of the page's request: forwarded by the rule, or set by the application. */
  readonly isPersonal: boolean;
  /** Method and target of the page that calls, for messages. */
  readonly page: string;
  readonly pageOrigin: string;
  /**
   * The page, and before it the pages and calls in process that wait for it. Such a call must not wait for a call of
   * another page: both might wait for each other.
   */
  readonly chain: readonly ChainLink[];
  /** How often it was redirected. Default: 0. */
  readonly redirects?: number;
  /** Names of the headers that were forwarded: a response may depend on them without saying so. */
  readonly forwarded: readonly string[];
  /**
   * Aborts when the call's time is over, its render has ended or the caller has aborted it; the reason is what the
   * call rejects with.
   */
  readonly signal: AbortSignal;
}

/** The response to a call; its headers are without those of the content's encoding, which is decoded. */
export interface CallResponse extends CallAnswer {
  readonly result: CallResult;
  /** Of all responses on the way to it: redirects, and pages that the server's own routes have answered with. */
  readonly provenance: Provenance;
}

export interface SentResponse extends CallAnswer {
  /** Of the pages that the server's own routes have answered with. */
  readonly pages: readonly Provenance[];
}

export interface CallEnding extends Pick<
  CallEvent,
  'timeMs' | 'durationMs' | 'status' | 'error' | 'bytes' | 'result'
> {
  readonly response: CallResponse | undefined;
  /** What it was rejected with, if it failed. */
  readonly thrown: unknown;
}

/** Sends a call: to the network, or to the server's own routes. Rejects with the reason of the signal or an SsrError. */
export type Transport = (call: CallRequest) => Promise<SentResponse>;

/** Sends a call and follows its redirects. Rejects as a {@link Transport} does. */
export type SendCall = (call: CallRequest) => Promise<CallResponse>;

/** A call whose rule has not been asked for its tags. */
export type UntaggedCall = Omit<CallRequest, 'tags'>;
