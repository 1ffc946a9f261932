import type { SsrError } from '../../errors.ts';
import { channelOf, type SlotEvent } from '../../telemetry/channels.ts';
import type { Slot } from './slot-options.ts';
import { type SlotFailure, SlotOutage } from './slot-outage.ts';

const channel = channelOf('ng-ssr:slot');

/** How the slots of a server are filled: for reports, metrics and the pause of an outage. */
export class SlotWatch {
  readonly #outages: ReadonlyMap<string, SlotOutage>;

  constructor(slots: readonly Slot[], report: (error: SsrError) => void) {
    this.#outages = new Map(slots.map(({ name }) => [name, new SlotOutage(name, report)]));
  }

  /** Whether `fill` is to be called. */
  mayCall({ name }: Slot): boolean {
    const outage = this.#outages.get(name)!;
    if (outage.mayCall()) return true;
    outage.skip();
    publish(name, 'skipped', 0);
    return false;
  }

  filled({ name }: Slot, durationMs: number): void {
    this.#outages.get(name)!.succeed();
    publish(name, 'filled', durationMs);
  }

  failed(
    { name, timeoutMs }: Slot,
    durationMs: number,
    failure: Omit<SlotFailure, 'isSlow'>,
    isTimeout = false,
  ): void {
    const isSlow = durationMs >= timeoutMs / 4;
    publish(name, isTimeout ? 'timeout' : 'failed', durationMs);
    this.#outages.get(name)!.fail({ ...failure, isSlow });
  }
}

function publish(slot: string, result: SlotEvent['result'], durationMs: number): void {
  if (channel.hasSubscribers) channel.publish({ slot, result, durationMs });
}
