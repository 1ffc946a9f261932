import { Component, inject } from '@angular/core';
import { PageResponse } from '../server/page-response';
import { Notice } from '../shared/notice';

/** A page that exists and says that what it was about does not: a 404 of its own. */
@Component({
  selector: 'app-missing',
  imports: [Notice],
  template: `
    <app-notice code="Sold out" heading="The spring firing is gone">
      All two hundred pieces found a home. The next kiln opens on the first of the month.
    </app-notice>
  `,
})
export class MissingPage {
  constructor() {
    inject(PageResponse).set({ status: 404 });
  }
}
