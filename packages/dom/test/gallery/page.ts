import { ChangeDetectionStrategy, Component, type Type } from '@angular/core';

/** A component of the gallery; decorator syntax would need an option of the test runner's compiler. */
export function page(
  template: string,
  imports: readonly unknown[] = [],
  type: Type<unknown> = class {},
): Type<unknown> {
  Component({
    selector: 'gallery-page',
    template,
    imports: [...imports] as Type<unknown>[],
    changeDetection: ChangeDetectionStrategy.Eager,
    styles: [':host { display: block } .a > .b { color: red }'],
  })(type);
  return type;
}
