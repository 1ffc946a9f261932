import { SsrError } from '../../../errors.ts';
import type { CallResult } from '../../../telemetry/channels.ts';
import { shownUrl } from '../shown-url.ts';

export interface EndedCall {
  readonly method: string;
  readonly url: URL;
  readonly rule: string;
  /** `performance.now()` */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly bytes: number;
  readonly result: CallResult;
  /** Equal for calls that `dedupe` joins; undefined for a call that it joins with none, such as one with a cookie. */
  readonly joinKey: string | undefined;
  /** Headers that its rule forwards to calls which ask for credentials: the page's request has them, and it does not ask. */
  readonly withheld: readonly string[];
}

/** Angular's HttpClient refuses longer contents on a server (NG02825). */
const CAP_BYTES = 1024 * 1024;
const NEAR_CAP_BYTES = 0.8 * CAP_BYTES;
/** The browser reads the transfer state before it hydrates the page. */
const MOST_STATE_BYTES = 256 * 1024;
/** Calls in sequence count from this number and time on. */
const FEWEST_IN_SEQUENCE = 3;
const LEAST_IN_SEQUENCE_MS = 100;
/** Each notice is given once for a rule, and no more of them in all. */
const MOST_NOTICES = 20;

const STATE_START = Buffer.from('<script id="ng-state"');
const SCRIPT_END = Buffer.from('</script>');

/** Looks for calls that make pages slow or fail, and reports each kind once for a rule. */
export class CallNotices {
  readonly #report: (error: SsrError) => void;
  readonly #given = new Set<string>();

  constructor(report: (error: SsrError) => void) {
    this.#report = report;
  }

  /**
   * @param page - Method and target of the page.
   * @param body - The rendered page; undefined without one.
   */
  look(page: string, calls: readonly EndedCall[], body: Uint8Array | undefined): void {
    if (this.#given.size >= MOST_NOTICES) return;
    for (const { url, method, rule, bytes, withheld } of calls) {
      if (withheld.length > 0) {
        const fact = `${method} ${shownUrl(url)} got no ${withheld.join(', ')}, which its rule forwards`;
        const advice = `set credentials: 'include' for fetch, withCredentials: true for HttpClient`;
        this.#give('credentials', rule, page, `${fact}: ${advice}`);
      }
      if (bytes < NEAR_CAP_BYTES) continue;
      const fact = `${method} ${shownUrl(url)} has ${bytes} bytes`;
      this.#give('size', rule, page, `${fact}: HttpClient fails above ${CAP_BYTES} (NG02825)`);
    }
    this.#lookForRepeated(page, calls);
    this.#lookForSequence(page, calls);
    const stateBytes = body === undefined ? 0 : lengthOfState(body);
    if (stateBytes > MOST_STATE_BYTES) {
      const fact = `its transfer state has ${stateBytes} bytes, which the browser reads before it hydrates`;
      const advice = 'fetch less, or leave calls out of the transfer cache';
      this.#give('state', '', page, `${fact}: ${advice}`);
    }
  }

  #lookForRepeated(page: string, calls: readonly EndedCall[]): void {
    const seen = new Set<string>();
    for (const { method, url, rule, result, joinKey } of calls) {
      const isSent = result === 'miss' || result === 'bypass';
      if (method !== 'GET' || !isSent || joinKey === undefined) continue;
      const fact = `${method} ${shownUrl(url)} was sent more than once: set dedupe to send it once`;
      if (seen.has(joinKey)) this.#give('repeated', rule, page, fact);
      seen.add(joinKey);
    }
  }

  /** Calls each of which began when the one before had ended, although none was in flight beside it. */
  #lookForSequence(page: string, calls: readonly EndedCall[]): void {
    const inOrder = calls.toSorted((a, b) => a.sinceMs - b.sinceMs);
    if (inOrder.length < FEWEST_IN_SEQUENCE) return;
    if (inOrder.some(({ sinceMs }, i) => i > 0 && sinceMs < inOrder[i - 1]!.untilMs)) return;
    const ms = inOrder.reduce((sum, { sinceMs, untilMs }) => sum + untilMs - sinceMs, 0);
    if (ms < LEAST_IN_SEQUENCE_MS) return;
    const { url, rule } = inOrder[0]!;
    const fact = `its ${inOrder.length} calls took ${Math.round(ms)} ms one after another, the first was ${shownUrl(url)}`;
    this.#give('sequence', rule, page, `${fact}: send independent calls in parallel`);
  }

  #give(kind: string, rule: string, page: string, text: string): void {
    const name = `${kind} ${rule}`;
    if (this.#given.has(name) || this.#given.size >= MOST_NOTICES) return;
    this.#given.add(name);
    this.#report(new SsrError('NG_SSR_CALL_NOTICE', `${page}: ${text}`));
  }
}

function lengthOfState(body: Uint8Array): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.indexOf(STATE_START);
  if (start === -1) return 0;
  const end = bytes.indexOf(SCRIPT_END, start);
  return end === -1 ? 0 : end - start;
}
