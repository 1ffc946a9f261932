import { Component } from '@angular/core';
import { GLAZES } from '../data/products';

@Component({
  selector: 'app-guide',
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Care guide</p>
    <h1>Live with it</h1>
    <p class="lead">
      Stoneware asks for very little. Use it every day, wash it as you wash everything else, and
      read on only for the few things it would rather you did not do.
    </p>

    <ol>
      @for (rule of rules; track rule.title) {
        <li>
          <h2>{{ rule.title }}</h2>
          <p>{{ rule.text }}</p>
        </li>
      }
    </ol>

    <h2>The twelve glazes</h2>
    <ul>
      @for (glaze of glazes; track glaze.code) {
        <li [style.--glaze]="glaze.color">
          <span class="tile" aria-hidden="true"></span>
          <h3>{{ glaze.name }}</h3>
          <p>{{ glaze.finish }}. {{ glaze.note }}</p>
        </li>
      }
    </ul>
  `,
  styles: `
    ol,
    ul {
      display: grid;
      margin: 56px 0 80px;
      padding: 0;
      list-style: none;
    }
    ol {
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr));
      gap: 16px;
      counter-reset: rule;
    }
    ol li {
      padding: 28px;
      border-radius: var(--mat-sys-corner-extra-large);
      background: var(--mat-sys-surface-container-low);
      counter-increment: rule;
    }
    ol li::before {
      color: var(--mat-sys-primary);
      font: italic 400 28px/1 var(--serif);
      content: counter(rule);
    }
    ol h2 {
      margin-top: 12px;
      font-size: 1.375rem;
    }
    li p {
      margin: 8px 0 0;
      color: var(--mat-sys-on-surface-variant);
      line-height: 1.6;
    }
    ul {
      grid-template-columns: repeat(auto-fill, minmax(min(46%, 250px), 1fr));
      gap: 32px 20px;
      margin: 32px 0 0;
    }
    .tile {
      position: relative;
      display: block;
      overflow: hidden;
      height: 132px;
      border-radius: var(--mat-sys-corner-large);
      background:
        radial-gradient(120% 90% at 20% 0, rgb(255 255 255 / 32%), transparent 60%),
        linear-gradient(transparent 55%, rgb(26 13 5 / 18%)), var(--glaze);
    }
    .tile::after {
      position: absolute;
      inset: auto 0 0;
      height: 22px;
      background: #c9ab85;
      border-radius: 60% 40% 0 0 / 10px 16px 0 0;
      content: '';
    }
    h3 {
      margin: 14px 0 0;
      font: var(--mat-sys-title-medium);
    }
    ul p {
      margin-top: 2px;
      font: var(--mat-sys-body-medium);
    }
  `,
})
export class GuidePage {
  protected readonly glazes = GLAZES;
  protected readonly rules = [
    {
      title: 'The dishwasher is fine',
      text: 'Every glaze here is fired at 1 260 °C and does not fade. Leave a finger of air between pieces so that rims do not knock.',
    },
    {
      title: 'Warm it slowly',
      text: 'Oven and microwave are welcome. From the fridge, let a dish stand for half an hour first: clay forgives heat, not haste.',
    },
    {
      title: 'Season the bare foot',
      text: 'Wet the unglazed ring before its first use and rub it once on fine paper. It will never scratch a table again.',
    },
    {
      title: 'Grey marks are metal',
      text: 'Cutlery leaves a pencil line on matte glazes. A little baking soda on a soft cloth takes it away.',
    },
    {
      title: 'Crackle is alive',
      text: 'Celadon and Shino may tick for days after the kiln and draw fine lines for years. It is the glaze settling, not breaking.',
    },
    {
      title: 'Chips can be mended',
      text: 'Send us the piece and any splinters. We fill with lacquer and tin, and you get a line to be fond of.',
    },
  ];
}
