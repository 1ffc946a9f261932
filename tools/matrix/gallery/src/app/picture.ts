import { ChangeDetectionStrategy, Component, input, ViewEncapsulation } from '@angular/core';

@Component({
  selector: 'app-picture',
  template: `
    <figure>
      <svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4" /></svg>
      <figcaption (click)="(0)">{{ name() }}</figcaption>
    </figure>
  `,
  styles: 'figure { color: rebeccapurple }',
  changeDetection: ChangeDetectionStrategy.OnPush,
  encapsulation: ViewEncapsulation.None,
})
export class Picture {
  readonly name = input.required<string>();
}
