import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { TableEntry } from '../../../testdata/src/ssr';

@Component({
  selector: 'app-linked-table',
  imports: [RouterLink],
  template: `
    <table>
      <tbody>
        @for (entry of entries(); track entry.id) {
          <tr>
            <td>{{ entry.id }}</td>
            <td>{{ entry.name }}</td>
            <td><a [routerLink]="[base(), entry.id]">View →</a></td>
          </tr>
        }
      </tbody>
    </table>
  `,
})
export class LinkedTable {
  readonly base = input.required<string>();
  readonly entries = input.required<readonly TableEntry[]>();
}
