import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Heading } from '../content/page-content';

/** The headings of a page. */
@Component({
  selector: 'app-outline',
  imports: [RouterLink],
  template: `
    @if (headings().length > 1) {
      <nav class="outline" aria-labelledby="outline">
        <p id="outline">On this page</p>
        <ul>
          @for (heading of headings(); track heading.id) {
            <li [class.deep]="heading.level === 3">
              <a [routerLink]="'/' + path()" [fragment]="heading.id">{{
                breakable(heading.text)
              }}</a>
            </li>
          }
        </ul>
      </nav>
    }
  `,
})
export class Outline {
  readonly path = input.required<string>();
  readonly headings = input.required<readonly Heading[]>();

  /** With a zero-width space after each underscore: codes of errors are wider than the column. */
  protected breakable(text: string): string {
    return text.replaceAll('_', '_\u200B');
  }
}
