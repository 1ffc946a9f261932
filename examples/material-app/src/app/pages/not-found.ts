import { Component, inject } from '@angular/core';
import { PageResponse } from '../server/page-response';
import { Notice } from '../shared/notice';

@Component({
  selector: 'app-not-found',
  imports: [Notice],
  template: `
    <app-notice code="404" heading="Nothing on this shelf">
      The page you asked for is not here. It may have moved, or the address has a crack in it.
    </app-notice>
  `,
})
export class NotFoundPage {
  constructor() {
    inject(PageResponse).set({ status: 404 });
  }
}
