import { Component, inject, REQUEST, type OnInit } from '@angular/core';
import { failsAt, type Failure } from '../server/failure';
import { Notice } from '../shared/notice';

/** Fails on the server and nowhere else, to see what a server makes of a failed render. */
@Component({
  selector: 'app-boom',
  imports: [Notice],
  template: `
    <app-notice code="Cracked" heading="This one did not survive the kiln">
      On a server this page cannot be rendered at all. In your browser it is only a picture.
    </app-notice>
  `,
})
export class BoomPage implements OnInit {
  private readonly request = inject(REQUEST, { optional: true });

  constructor() {
    this.fail('navigation');
  }

  ngOnInit(): void {
    this.fail('render');
  }

  private fail(at: Failure): void {
    if (failsAt(this.request, at)) throw new Error(`This page fails at its ${at}, on purpose.`);
  }
}
