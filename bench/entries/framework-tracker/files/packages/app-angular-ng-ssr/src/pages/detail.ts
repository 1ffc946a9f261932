import { Component, input } from '@angular/core';

@Component({
  selector: 'app-detail',
  template: '<p id="detail-id">{{ id() }}</p>',
})
export class Detail {
  readonly id = input.required<string>();
}
