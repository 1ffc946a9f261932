import type { Call, CallAnswer } from '../render/call.ts';
import type { ChainLink } from '../render/call-chain.ts';
import type { CallEvent, CallResult } from '../telemetry/channels.ts';
import type { ResolvedCallRule } from './rules/call-rule.ts';

/** A call with its rule, and with the fields that the rule forwards. */
export interface AskedCall extends Omit<Call, 'url' | 'signal' | 'isKeptAlive'> {
  readonly url: URL;
  readonly rule: ResolvedCallRule;
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
  /** Names of the fields that were forwarded: a response may depend on them without saying so. */
  readonly forwarded: readonly string[];
  /**
   * Aborts when the call's time is over, its render has ended or the caller has aborted it; the reason is what the
   * call rejects with.
   */
  readonly signal: AbortSignal;
}

/** The response to a call; its fields are without those of the content's coding, which is decoded. */
export interface CallResponse extends CallAnswer {
  readonly result: CallResult;
  /** To purge it by: those of its rule and of its fields. */
  readonly tags: readonly string[];
  /** Seconds that it stays fresh; 0 if a shared cache may not store it. */
  readonly freshSeconds: number;
}

/** How a call has ended. */
export interface CallEnding extends Pick<
  CallEvent,
  'timeMs' | 'durationMs' | 'status' | 'error' | 'bytes'
> {
  /** Undefined if it failed. */
  readonly response: CallResponse | undefined;
}

/** Sends a call: to the network, or to the server's own routes. Rejects with the reason of the signal or an SsrError. */
export type Transport = (call: AskedCall) => Promise<CallResponse>;
