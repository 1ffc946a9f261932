import { HttpClient } from '@angular/common/http';
import { Component, computed, inject, input } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatProgressBar } from '@angular/material/progress-bar';
import { RouterLink } from '@angular/router';

interface Estimate {
  readonly courier: string;
  readonly days: number;
}

/** A browser waits longer than a page can. */
const BROWSER_TIMEOUT_MS = 5000;

/**
 * When a parcel arrives, by a courier who takes his time or never answers. The server's rule for the call has a
 * timeout: the page then comes with what is true without him, and the browser asks again.
 */
@Component({
  selector: 'app-courier',
  imports: [MatButton, MatProgressBar, RouterLink],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Delivery</p>
    @if (estimate.hasValue()) {
      @let found = estimate.value();
      <h1>{{ found.courier }} is with you in {{ found.days }} days</h1>
      <p class="lead">Counted from this afternoon, when the cart leaves for the harbour.</p>
    } @else {
      <h1>Usually three to five days</h1>
      <p class="lead">
        @if (estimate.error()) {
          The courier has not answered us. This is how long it takes in most weeks.
        } @else {
          We have asked the courier for the day, and are waiting to hear.
        }
      </p>
    }
    <div class="state">
      @if (estimate.isLoading()) {
        <mat-progress-bar mode="indeterminate" aria-label="Asking the courier" />
      }
    </div>
    <div class="links">
      <button matButton="outlined" type="button" (click)="estimate.reload()">Ask again</button>
      <a matButton routerLink="/catalog">Back to the shop</a>
    </div>
  `,
  styles: `
    h1 {
      max-width: 18ch;
    }
    .state {
      height: 4px;
      max-width: 54ch;
      margin-top: 32px;
    }
    .links {
      display: flex;
      flex-wrap: wrap;
      gap: 12px;
      margin-top: 32px;
    }
  `,
})
export class CourierPage {
  /** Of the route's data. */
  readonly api = input.required<string>();
  /** How long the courier takes, in milliseconds; of the page's query. */
  readonly ms = input<string>();

  private readonly http = inject(HttpClient);
  private readonly url = computed(() => {
    const ms = this.ms();
    return ms === undefined ? this.api() : `${this.api()}?ms=${encodeURIComponent(ms)}`;
  });
  protected readonly estimate = rxResource({
    id: 'live.courier',
    params: () => this.url(),
    stream: ({ params: url }) => this.http.get<Estimate>(url, { timeout: BROWSER_TIMEOUT_MS }),
  });
}
