import type { CallsMade } from '../../render/calls-made.ts';
import type { CallResponse } from '../asked-call.ts';

/** Sums up the calls of one render. */
export class CallRecord {
  readonly #tags = new Set<string>();
  #count = 0;
  #underWay = 0;
  #busySinceMs = 0;
  #durationMs = 0;
  #freshUntilMs: number | undefined;
  #isPersonal = false;
  #hasLoop = false;

  /**
   * A call begins.
   *
   * @param isPersonal - Whether it carries credentials of one client.
   * @returns to be called when it has ended: without a response if it failed.
   */
  begin(isPersonal: boolean): (response: CallResponse | undefined) => void {
    this.#count++;
    if (isPersonal) this.#isPersonal = true;
    if (this.#underWay++ === 0) this.#busySinceMs = performance.now();
    return (response) => {
      const nowMs = performance.now();
      if (--this.#underWay === 0) this.#durationMs += nowMs - this.#busySinceMs;
      for (const tag of response?.tags ?? []) this.#tags.add(tag);
      const untilMs = nowMs + (response?.freshSeconds ?? 0) * 1000;
      this.#freshUntilMs = Math.min(this.#freshUntilMs ?? untilMs, untilMs);
    };
  }

  /** A call would have waited for itself. */
  noteLoop(): void {
    this.#hasLoop = true;
  }

  /** The render has ended; calls that have not count as failed. */
  end(): CallsMade {
    const nowMs = performance.now();
    const isBusy = this.#underWay > 0;
    const freshUntilMs = isBusy ? nowMs : this.#freshUntilMs;
    return {
      count: this.#count,
      durationMs: this.#durationMs + (isBusy ? nowMs - this.#busySinceMs : 0),
      tags: [...this.#tags],
      freshSeconds:
        freshUntilMs === undefined ? undefined : Math.max(0, (freshUntilMs - nowMs) / 1000),
      isPersonal: this.#isPersonal,
      hasLoop: this.#hasLoop,
    };
  }
}
