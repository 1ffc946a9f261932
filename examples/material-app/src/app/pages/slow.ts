import { Component } from '@angular/core';
import { holdRender } from '../server/hold-render';
import { Notice } from '../shared/notice';

/** Takes its time on the server, to see what others get meanwhile. */
@Component({
  selector: 'app-slow',
  imports: [Notice],
  template: `
    <app-notice code="Slow" heading="Two seconds in the kiln">
      On a server this page takes two seconds, on purpose: a pending task holds its render back. In
      your browser nothing waits.
    </app-notice>
  `,
})
export class SlowPage {
  constructor() {
    holdRender(2000);
  }
}
