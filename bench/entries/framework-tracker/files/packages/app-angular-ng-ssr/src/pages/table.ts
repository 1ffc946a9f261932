import { Component, input } from '@angular/core';
import type { TableEntry } from '../../../testdata/src/ssr';

@Component({
  selector: 'app-table',
  template: `
    <table>
      <tbody>
        @for (entry of entries(); track entry.id) {
          <tr>
            <td>{{ entry.id }}</td>
            <td>{{ entry.name }}</td>
          </tr>
        }
      </tbody>
    </table>
  `,
})
export class Table {
  readonly entries = input.required<readonly TableEntry[]>();
}
