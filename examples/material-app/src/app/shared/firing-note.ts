import { Component, computed, inject, input } from '@angular/core';
import { Firings } from '../server/firings';

/** The small print of a page that the server has rendered: how often it has, and when it did. */
@Component({
  selector: 'app-firing-note',
  template: `
    @if (firing(); as firing) {
      <p>
        {{ words()[0] }} <span id="render-count">{{ firing.count }}</span> {{ words()[1] }}
        <time id="render-time" [attr.datetime]="firing.iso">{{ firing.clock }}</time> UTC
      </p>
    }
  `,
  styles: `
    p {
      margin: 20px 0 0;
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-small);
      font-variant-numeric: tabular-nums;
    }
  `,
})
export class FiringNote {
  /** What the renders are counted by: the page's own name. */
  readonly page = input.required<string>();
  /** What stands before the number and before the time. */
  readonly words = input<readonly [string, string]>(['Fired as no.', 'at']);

  private readonly firings = inject(Firings);
  protected readonly firing = computed(() => {
    const firing = this.firings.of(this.page());
    if (!firing) return undefined;
    const iso = new Date(firing.at).toISOString();
    return { count: firing.count, iso, clock: iso.slice(11, 19) };
  });
}
