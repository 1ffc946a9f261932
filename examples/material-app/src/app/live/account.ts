import { HttpClient } from '@angular/common/http';
import { Component, inject } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatProgressBar } from '@angular/material/progress-bar';
import { RouterLink } from '@angular/router';
import type { Account } from '../../api/shop';
import { FiringNote } from '../shared/firing-note';

/**
 * The orders of the visitor whose name is in the cookie `user`. The call carries the visitor's cookie, so the server
 * stores its page for no one; the page itself need not say so.
 */
@Component({
  selector: 'app-live-account',
  imports: [FiringNote, MatButton, MatProgressBar, RouterLink],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Your orders</p>
    @if (account.hasValue()) {
      @let visitor = account.value();
      @if (visitor.name) {
        <h1>Two parcels for {{ visitor.name }}</h1>
        <ul>
          @for (order of visitor.orders; track order.number) {
            <li>
              <span class="number">{{ order.number }}</span>
              <b>{{ order.piece }}</b>
              <span class="order-state">{{ order.state }}</span>
            </li>
          }
        </ul>
      } @else {
        <h1>Who is at the door?</h1>
        <p class="lead">Tell us your name, and we look for your parcels.</p>
        <a matButton="filled" routerLink="/account">Sign in</a>
      }
    } @else if (account.error()) {
      <h1>The order book is upstairs</h1>
      <p class="lead">
        Someone is getting it. Your orders are safe; please look again in a minute.
      </p>
      <button matButton="filled" type="button" (click)="account.reload()">Look again</button>
    } @else {
      <h1>Looking for your parcels…</h1>
      <mat-progress-bar mode="indeterminate" aria-label="Looking for your parcels" />
    }
    <app-firing-note page="live-account" />
  `,
  styles: `
    ul {
      display: grid;
      gap: 12px;
      margin: 36px 0 0;
      padding: 0;
      list-style: none;
    }
    li {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 24px;
      align-items: baseline;
      padding: 20px 24px;
      border-radius: var(--mat-sys-corner-large);
      background: var(--mat-sys-surface-container-low);
    }
    b {
      flex: 1;
      font: var(--mat-sys-title-medium);
    }
    .number,
    .order-state {
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
      font-variant-numeric: tabular-nums;
    }
    a,
    button {
      margin-top: 36px;
    }
    mat-progress-bar {
      max-width: 54ch;
      margin-top: 36px;
    }
  `,
})
export class AccountPage {
  private readonly http = inject(HttpClient);
  /**
   * The call gets the visitor's cookie since it asks for it. Its `id` hands it to the browser; Angular's cache of HttpClient
   * leaves such calls out.
   */
  protected readonly account = rxResource({
    id: 'live.account',
    stream: () => this.http.get<Account>('/api/account', { withCredentials: true }),
  });
}
