import { Component, inject, makeStateKey, TransferState } from '@angular/core';

const NOW = makeStateKey<number>('kiln-log.now');

/** The firing schedule: hours since midnight UTC and degrees. */
const SCHEDULE: readonly (readonly [number, number])[] = [
  [0, 90],
  [3, 220],
  [6, 600],
  [9, 1000],
  [12, 1200],
  [14, 1260],
  [15, 1260],
  [18, 860],
  [21, 420],
  [24, 90],
];

function degreesAt(hour: number): number {
  const after = SCHEDULE.findIndex(([at]) => at >= hour);
  const [h1, d1] = SCHEDULE[Math.max(after, 1)]!;
  const [h0, d0] = SCHEDULE[Math.max(after, 1) - 1]!;
  return Math.round(d0 + ((d1 - d0) * (hour - h0)) / (h1 - h0));
}

const x = (hour: number) => 64 + hour * 28;
const y = (degrees: number) => 270 - degrees / 5.5;

/** Rendered for each request: what the kiln is doing at this minute. */
@Component({
  selector: 'app-kiln-log',
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Kiln log</p>
    <h1>{{ degrees }} °C, and {{ phase }}</h1>
    <p class="lead">
      Read at <time [attr.datetime]="iso">{{ clock }} UTC</time>. The page is drawn for each visit,
      so come back in an hour.
    </p>
    <figure>
      <svg
        viewBox="0 0 780 310"
        role="img"
        [attr.aria-label]="'Firing curve, now at ' + degrees + ' degrees'"
      >
        @for (line of [300, 600, 900, 1200]; track line) {
          <path class="rule" [attr.d]="'M64 ' + y(line) + 'H736'" />
          <text x="54" [attr.y]="y(line) + 4" text-anchor="end">{{ line }}</text>
        }
        @for (hour of [0, 6, 12, 18, 24]; track hour) {
          <text [attr.x]="x(hour)" y="300" text-anchor="middle">{{ hour }}:00</text>
        }
        <path class="heat" [attr.d]="curve + 'V270H64Z'" />
        <path class="curve" [attr.d]="curve" />
        <path class="rule now" [attr.d]="'M' + x(hour) + ' ' + y(degrees) + 'V270'" />
        <circle [attr.cx]="x(hour)" [attr.cy]="y(degrees)" r="8" />
      </svg>
      <figcaption>
        One firing lasts a day: up slowly, a long hour at the top, down slower still.
      </figcaption>
    </figure>
  `,
  styles: `
    figure {
      margin: 48px 0 0;
      padding: clamp(16px, 3vw, 40px);
      border-radius: 36px;
      background: var(--mat-sys-surface-container-low);
    }
    svg {
      display: block;
      width: 100%;
    }
    text {
      fill: var(--mat-sys-on-surface-variant);
      font-size: 12px;
    }
    .rule {
      stroke: var(--mat-sys-outline-variant);
    }
    .now {
      stroke: var(--mat-sys-primary);
      stroke-dasharray: 3 4;
    }
    .heat {
      fill: var(--mat-sys-primary-container);
      opacity: 0.6;
    }
    .curve {
      fill: none;
      stroke: var(--mat-sys-primary);
      stroke-width: 3;
      stroke-linejoin: round;
    }
    circle {
      fill: var(--mat-sys-primary);
      stroke: var(--mat-sys-surface);
      stroke-width: 3;
    }
    figcaption {
      margin-top: 16px;
      color: var(--mat-sys-on-surface-variant);
      font: var(--mat-sys-body-medium);
    }
    @media (max-width: 560px) {
      text {
        font-size: 22px;
      }
    }
  `,
})
export class KilnLogPage {
  private readonly now = this.transferNow();

  protected readonly iso = new Date(this.now).toISOString();
  protected readonly clock = this.iso.slice(11, 16);
  protected readonly hour = (this.now % 86_400_000) / 3_600_000;
  protected readonly degrees = degreesAt(this.hour);
  protected readonly phase =
    this.hour < 14 ? 'climbing' : this.hour < 15 ? 'holding at the top' : 'cooling';
  protected readonly curve = SCHEDULE.map(
    ([hour, degrees], i) => `${i ? 'L' : 'M'}${x(hour)} ${y(degrees)}`,
  ).join('');
  protected readonly x = x;
  protected readonly y = y;

  /** The server's clock, so that the browser hydrates the minute that was rendered. */
  private transferNow(): number {
    const state = inject(TransferState);
    const now = state.get(NOW, Date.now());
    state.set(NOW, now);
    return now;
  }
}
