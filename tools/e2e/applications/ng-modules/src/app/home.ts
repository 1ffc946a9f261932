import { Component } from '@angular/core';

/** Its count is a plain field: zone.js sees the click. */
@Component({
  selector: 'app-home',
  standalone: false,
  template: `
    <h1>Home one</h1>
    <button class="tracking-widest" (click)="count = count + 1">{{ count }} clicks</button>
  `,
})
export class Home {
  protected count = 0;
}
