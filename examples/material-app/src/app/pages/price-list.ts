import { Component, inject, ViewEncapsulation } from '@angular/core';
import { ActivatedRoute, RouterLink } from '@angular/router';
import { priceTables } from '../data/price-list';

/** The prices for everybody, or for the customer of the path. */
@Component({
  selector: 'app-price-list',
  imports: [RouterLink],
  host: { class: 'page' },
  // Over a thousand rows: a scoping attribute on each cell would double the page.
  encapsulation: ViewEncapsulation.None,
  template: `
    <p class="eyebrow">For {{ customer ?? 'shops and restaurants' }}</p>
    <h1>Trade price list</h1>
    <p class="lead">
      Every form in every glaze, in five sizes. Prices are in euros without tax; lead times count
      from the next firing.
    </p>
    <nav class="jump" aria-label="Forms in this list">
      @for (table of tables; track table.product.id) {
        <a [routerLink]="[]" [fragment]="table.product.code">{{ table.product.name }}</a>
      }
    </nav>
    @for (table of tables; track table.product.id) {
      <section class="prices" [id]="table.product.code">
        <h2 [id]="table.product.code + '-name'">{{ table.product.name }}</h2>
        <div role="region" tabindex="0" [attr.aria-labelledby]="table.product.code + '-name'">
          <table>
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">Glaze</th>
                <th scope="col">Size</th>
                <th scope="col">Weight</th>
                <th scope="col">Retail</th>
                <th scope="col">From 12</th>
                <th scope="col">From 144</th>
                <th scope="col">Lead time</th>
              </tr>
            </thead>
            <tbody>
              @for (row of table.rows; track row.code) {
                <tr>
                  <th scope="row">{{ row.code }}</th>
                  <td>{{ row.glaze }}</td>
                  <td>{{ row.size }}</td>
                  <td>{{ row.weight }}</td>
                  <td>{{ row.retail }}</td>
                  <td>{{ row.dozen }}</td>
                  <td>{{ row.gross }}</td>
                  <td>{{ row.lead }}</td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      </section>
    }
  `,
  styles: `
    .jump {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      margin-top: 32px;

      a {
        padding: 6px 14px;
        border-radius: var(--mat-sys-corner-small);
        background: var(--mat-sys-surface-container);
        color: var(--mat-sys-on-surface);
        font: var(--mat-sys-label-large);
        text-decoration: none;

        &:hover {
          background: var(--mat-sys-surface-container-highest);
        }
      }
    }
    .prices {
      scroll-margin-top: 88px;

      h2 {
        margin: 64px 0 16px;
      }

      div {
        overflow-x: auto;
        border: 1px solid var(--mat-sys-outline-variant);
        border-radius: var(--mat-sys-corner-large);
      }

      table {
        width: 100%;
        border-collapse: collapse;
        font: var(--mat-sys-body-medium);
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }

      th,
      td {
        padding: 9px 16px;
        text-align: start;
      }

      :is(th, td):nth-child(n + 4) {
        text-align: end;
      }

      thead th {
        background: var(--mat-sys-surface-container);
        color: var(--mat-sys-on-surface-variant);
        font: var(--mat-sys-label-large);
      }

      tbody tr {
        border-top: 1px solid var(--mat-sys-outline-variant);
      }

      tbody tr:hover {
        background: var(--mat-sys-surface-container-low);
      }

      tbody th {
        font-weight: 500;
      }
    }
    @media (max-width: 760px) {
      .prices {
        scroll-margin-top: 128px;
      }
    }
  `,
})
export class PriceListPage {
  protected readonly customer = inject(ActivatedRoute).snapshot.paramMap.get('customer');
  protected readonly tables = priceTables();
}
