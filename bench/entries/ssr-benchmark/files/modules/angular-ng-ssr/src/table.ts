import { Component, input } from '@angular/core';
import type { Entry } from './entries';

/** One row: a component, as in the other modules. */
@Component({
  selector: 'tr[entry]',
  template: '<td>{{ entry().id }}</td><td>{{ entry().name }}</td>',
})
export class Row {
  readonly entry = input.required<Entry>();
}

@Component({
  selector: 'app-table',
  imports: [Row],
  template: `
    <table>
      <tbody>
        @for (entry of entries(); track entry.id) {
          <tr [entry]="entry"></tr>
        }
      </tbody>
    </table>
  `,
})
export class Table {
  readonly entries = input.required<readonly Entry[]>();
}
