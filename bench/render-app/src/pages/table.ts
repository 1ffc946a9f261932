import { Component, input } from '@angular/core';
import { type Entry, tableRows } from '../../../src/frameworks/table-rows.ts';

/** One row: a component, as in the task. */
@Component({
  selector: 'tr[entry]',
  template: '<td>{{ entry().id }}</td><td>{{ entry().name }}</td>',
})
export class TableEntry {
  readonly entry = input.required<Entry>();
}

/** The table of eknkc/ssr-benchmark: a thousand rows of two texts. */
@Component({
  selector: 'app-table',
  imports: [TableEntry],
  template: `
    <table>
      <tbody>
        @for (entry of rows; track entry.id) {
          <tr [entry]="entry"></tr>
        }
      </tbody>
    </table>
  `,
})
export class TablePage {
  protected readonly rows = tableRows;
}
