import { Component } from '@angular/core';
import { Notice } from '../shared/notice';

/** Answered with 410: the server route declares the status, nothing here sets it. */
@Component({
  selector: 'app-gone',
  imports: [Notice],
  template: `
    <app-notice code="Retired" heading="We no longer make this one">
      When a form stops teaching us something, we retire it and keep the drawing.
    </app-notice>
  `,
})
export class GonePage {}
