import { Component, inject, makeStateKey, REQUEST, TransferState } from '@angular/core';
import { IS_RENDER_THREAD } from '../server/render-thread';
import { Notice } from '../shared/notice';

const NEEDS_WORKERS = makeStateKey<boolean>('loop.needsWorkers');

/**
 * Loops for ever on the server, to see a thread ended: nothing else ends such a render. Only where
 * renders have threads of their own, since it would stop everything else on its thread.
 */
@Component({
  selector: 'app-loop',
  imports: [Notice],
  template: `
    @if (needsWorkers) {
      <app-notice code="Left out" heading="This loop needs a thread of its own">
        On this server an endless loop would stop everything else. Start it with RENDER_THREADS=1,
        and this page is one.
      </app-notice>
    } @else {
      <app-notice code="Endless" heading="Round and round on the wheel">
        On the server this page is an endless loop, on purpose, and ends with its thread. What you
        read, your browser has drawn by itself, without one.
      </app-notice>
    }
  `,
})
export class LoopPage {
  protected readonly needsWorkers: boolean;

  constructor() {
    const state = inject(TransferState);
    if (inject(REQUEST, { optional: true })) {
      if (inject(IS_RENDER_THREAD)) for (;;);
      state.set(NEEDS_WORKERS, true);
    }
    this.needsWorkers = state.get(NEEDS_WORKERS, false);
  }
}
