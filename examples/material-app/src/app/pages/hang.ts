import { Component } from '@angular/core';
import { holdRender } from '../server/hold-render';
import { Notice } from '../shared/notice';

/** Is never done on the server, to see what stands in for a page that does not come. */
@Component({
  selector: 'app-hang',
  imports: [Notice],
  template: `
    <app-notice code="Still waiting" heading="A kiln that is never opened">
      On a server this page is never done, on purpose: a pending task of it does not end. What you
      read, your browser has drawn by itself.
    </app-notice>
  `,
})
export class HangPage {
  constructor() {
    holdRender(Number.POSITIVE_INFINITY);
  }
}
