import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Catalogue } from '../data/catalogue';
import { Vessel } from '../shared/vessel';

@Component({
  selector: 'app-about',
  imports: [RouterLink, Vessel],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">The studio</p>
    <h1>Four wheels, one kiln, a view of the harbour</h1>
    <p class="lead">
      We are three potters in an old net loft. We dig some of our clay, sieve our own ash, and fire
      once a month, when the tide and the electricity are both at their best.
    </p>

    <div class="shelf" aria-hidden="true">
      @for (product of shelf; track product.id) {
        <app-vessel [product]="product" />
      }
    </div>

    <dl>
      @for (fact of facts; track fact.name) {
        <div>
          <dt>{{ fact.name }}</dt>
          <dd>{{ fact.value }}</dd>
        </div>
      }
    </dl>

    <div class="columns">
      <section>
        <h2>Made in small numbers</h2>
        <p>
          A firing holds about two hundred pieces. That is the whole of our month: no moulds, no
          night shift. If a form stops teaching us something, we retire it and keep the drawing.
        </p>
      </section>
      <section>
        <h2>Meant to be used</h2>
        <p>
          Everything we sell has been through our own sink for a season. Stoneware is fired until it
          rings, so it does not mind the dishwasher, the oven, or you.
          <a class="link" routerLink="/guide">Read the care guide</a>.
        </p>
      </section>
      <section>
        <h2>Seconds have a shelf</h2>
        <p>
          A pinhole, a lean, a drip that went its own way: seconds are half price and live by the
          door. Most of us own nothing else.
        </p>
      </section>
    </div>
  `,
  styles: `
    h1 {
      max-width: 18ch;
    }
    .shelf {
      display: grid;
      grid-template-columns: repeat(5, 1fr);
      gap: 2%;
      margin-top: 56px;
      padding: 4% 5% 2.5%;
      border-radius: 36px;
      background: linear-gradient(
        var(--mat-sys-surface-container) 82%,
        var(--mat-sys-surface-container-highest) 82%
      );
    }
    dl {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
      gap: 24px;
      margin: 56px 0;
    }
    dl div {
      display: flex;
      flex-direction: column-reverse;
      justify-content: flex-end;
    }
    dt {
      color: var(--mat-sys-on-surface-variant);
    }
    dd {
      margin: 0 0 4px;
      font: 600 44px/1 var(--serif);
    }
    .columns {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr));
      gap: 16px 48px;
    }
    .columns p {
      color: var(--mat-sys-on-surface-variant);
      line-height: 1.65;
    }
    @media (max-width: 560px) {
      .shelf {
        grid-template-columns: repeat(3, 1fr);
      }
      .shelf app-vessel:nth-child(n + 4) {
        display: none;
      }
      dl {
        grid-template-columns: 1fr 1fr;
      }
    }
  `,
})
export class AboutPage {
  private readonly catalogue = inject(Catalogue);

  protected readonly shelf = ['7', '12', '3', '8', '6'].flatMap(
    (id) => this.catalogue.find(id) ?? [],
  );
  protected readonly facts = [
    { name: 'degrees at the top of the firing', value: '1 260' },
    { name: 'forms in the shop', value: String(this.catalogue.all().length) },
    { name: 'glazes, all our own', value: '12' },
    { name: 'pieces a month', value: '200' },
  ];
}
