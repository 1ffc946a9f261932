import type { Lease } from '../../pages/tier.ts';

/** How long others wait at most for a process that has died or cannot release its lease. In milliseconds. */
export const LIFE_SIGN_MS = 2_000;
/** The longest time for which `lease` says `unshared`. In milliseconds. */
export const MAX_UNSHARED_MS = 60_000;
/** A render may take longer than others wait for it: for this time at least a store notes its path. In milliseconds. */
export const LEAST_NOTE_MS = 60_000;
const LIFE_SIGN_INTERVAL_MS = LIFE_SIGN_MS / 4;

/** How a store keeps a lease. */
export interface HeldLeaseContext {
  /** How long it may be held, in milliseconds. */
  readonly leaseMs: number;
  /** Sets the time after which it expires. Never rejects. */
  renew(lifetimeMs: number): Promise<void>;
  /** As {@link Lease.release}. Never rejects. */
  release(unsharedMs?: number): Promise<void>;
}

/** A lease that this process holds and renews regularly: without that it expires. */
export class HeldLease implements Lease {
  readonly #context: HeldLeaseContext;
  readonly #timer: NodeJS.Timeout;
  readonly #endsAtMs: number;

  constructor(context: HeldLeaseContext) {
    this.#context = context;
    this.#endsAtMs = performance.now() + context.leaseMs;
    this.#timer = setInterval(() => this.#giveSign(), LIFE_SIGN_INTERVAL_MS).unref();
  }

  release(unsharedMs?: number): Promise<void> {
    clearInterval(this.#timer);
    return this.#context.release(unsharedMs);
  }

  #giveSign(): void {
    const leftMs = Math.floor(this.#endsAtMs - performance.now());
    if (leftMs > 0) void this.#context.renew(Math.min(leftMs, LIFE_SIGN_MS));
    else clearInterval(this.#timer);
  }
}
