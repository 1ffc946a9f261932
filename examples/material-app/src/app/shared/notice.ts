import { Component, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';

/** The page for something that is not there: what happened, and where to go from here. */
@Component({
  selector: 'app-notice',
  imports: [MatButton, RouterLink],
  host: { class: 'page' },
  template: `
    <svg viewBox="0 0 200 150" aria-hidden="true" focusable="false">
      <ellipse class="shadow" cx="102" cy="134" rx="76" ry="7" />
      <path
        class="bowl"
        d="M28 62l24 9 12-12 17 18 14-13 10 22 16-7-3 45c-26 4-40-3-54-12C42 100 31 82 28 62z"
      />
      <path
        class="edge"
        d="M28 62l24 9 12-12 17 18 14-13 10 22 16-7-1 9-15 7-12-19-13 11-17-16-11 10-23-8z"
      />
      <path class="bowl" d="M139 66l14 6 20-8c-3 22-14 42-34 52l-8-15 10-14-9-10z" />
      <path class="edge" d="M139 66l14 6 20-8-1 8-19 8-11-5z" />
      <path class="shard" d="M128 26l16 8-9 14-15-5z" />
    </svg>
    <p class="eyebrow">{{ code() }}</p>
    <h1>{{ heading() }}</h1>
    <p class="lead"><ng-content /></p>
    <div>
      <a matButton="filled" routerLink="/catalog">Go to the shop</a>
      <a matButton routerLink="/">Home</a>
    </div>
  `,
  styles: `
    :host {
      max-width: 720px;
      text-align: center;
    }
    svg {
      width: min(240px, 60%);
      margin-bottom: 24px;
    }
    .shadow {
      fill: var(--mat-sys-surface-container-highest);
    }
    .bowl {
      fill: #5f8894;
    }
    .edge {
      fill: #d9c3a2;
    }
    .shard {
      fill: #76a0ab;
    }
    .lead {
      margin-inline: auto;
    }
    div {
      display: flex;
      gap: 12px;
      justify-content: center;
      margin-top: 36px;
    }
  `,
})
export class Notice {
  readonly code = input.required<string>();
  readonly heading = input.required<string>();
}
