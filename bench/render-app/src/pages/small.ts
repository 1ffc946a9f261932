import { DatePipe } from '@angular/common';
import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';

/** A page as small applications have: a heading, some links, a list, a form. */
@Component({
  selector: 'app-small',
  imports: [DatePipe, RouterLink],
  template: `
    <header>
      <nav>
        @for (link of links; track link.path) {
          <a [routerLink]="link.path" [class.current]="link.path === '/small'">{{ link.name }}</a>
        }
      </nav>
    </header>
    <main>
      <h1>{{ title }}</h1>
      <p>Last changed on {{ changed | date: 'mediumDate' : 'UTC' }} &mdash; &copy; the authors.</p>
      <ul>
        @for (item of items; track item) {
          <li [attr.data-at]="$index">
            <b>{{ $index + 1 }}.</b> {{ item }}
          </li>
        } @empty {
          <li>Nothing yet</li>
        }
      </ul>
      <form (submit)="send()">
        <label>Your name <input name="name" [value]="name" autocomplete="name" /></label>
        <button type="submit" [disabled]="name === ''">Send</button>
      </form>
    </main>
  `,
  styles: `
    .current {
      font-weight: bold;
    }
    li {
      line-height: 1.6;
    }
  `,
})
export class SmallPage {
  protected readonly title = 'A small page';
  protected readonly name = '';
  protected readonly changed = Date.UTC(2026, 10, 22);
  protected readonly links = [
    { path: '/small', name: 'Small' },
    { path: '/large', name: 'Large' },
    { path: '/table', name: 'Table' },
  ];
  protected readonly items = ['bread & butter', 'coffee <strong>', 'tea', 'eggs', 'milk', 'salt'];

  protected send(): void {}
}
