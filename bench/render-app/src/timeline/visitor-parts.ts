import { Component, input } from '@angular/core';
import type { Visitor } from './data';

/** What the page shows of its visitor. */
@Component({
  selector: 'bench-visitor-parts',
  template: `
    <header>
      <a href="/cart"
        >Cart: <b id="count">{{ visitor().count }}</b></a
      >
      <span id="who">{{ visitor().name ? 'Hello ' + visitor().name : 'Sign in' }}</span>
    </header>
    <section>
      <ul id="recommendations">
        @for (each of visitor().recommendations; track each) {
          <li>{{ each }}</li>
        } @empty {
          <li>Loading</li>
        }
      </ul>
    </section>
  `,
})
export class VisitorParts {
  readonly visitor = input.required<Visitor>();
}
