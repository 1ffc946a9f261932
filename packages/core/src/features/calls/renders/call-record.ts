import type { CallsMade } from '../../../render/calls-made.ts';
import { INDEPENDENT, mergeProvenance, type Provenance } from '../../../render/provenance.ts';
import type { CallResponse } from '../call-request.ts';

export class CallRecord {
  /** Of calls that have begun or ended. */
  readonly #provenances: Provenance[] = [];
  #count = 0;
  #inFlight = 0;
  #busySinceMs = 0;
  #durationMs = 0;
  #hasLoop = false;

  /**
   * A call begins.
   *
   * @param isPersonal - Whether it carries credentials of one client.
   * @returns to be called when it has ended: without a response if it failed.
   */
  begin(isPersonal: boolean): (response: CallResponse | undefined) => void {
    this.#count++;
    if (isPersonal) this.#provenances.push({ ...INDEPENDENT, isPersonal });
    if (this.#inFlight++ === 0) this.#busySinceMs = performance.now();
    return (response) => {
      if (--this.#inFlight === 0) this.#durationMs += performance.now() - this.#busySinceMs;
      this.#provenances.push(response?.provenance ?? FAILED);
    };
  }

  /** A call would have waited for itself. */
  noteLoop(): void {
    this.#hasLoop = true;
  }

  /** The render has ended; calls that have not count as failed. */
  end(): CallsMade {
    const isBusy = this.#inFlight > 0;
    const provenances = isBusy ? [...this.#provenances, FAILED] : this.#provenances;
    const durationMs = this.#durationMs + (isBusy ? performance.now() - this.#busySinceMs : 0);
    return {
      count: this.#count,
      durationMs,
      provenance: this.#count === 0 ? undefined : mergeProvenance(provenances),
      hasLoop: this.#hasLoop,
    };
  }
}

/** The next render may have a response. */
const FAILED: Provenance = { ...INDEPENDENT, freshUntilMs: 0 };
