import { Component } from '@angular/core';
import { slot } from '@ng-ssr/angular';
import { NOBODY, type Visitor } from './data';
import { VisitorParts } from './visitor-parts';

/** The same parts as HTML, which the browser shows before scripts run. */
@Component({
  selector: 'bench-visitor-island',
  imports: [VisitorParts],
  host: { ngSkipHydration: '', 'data-slot': 'island' },
  template: '<bench-visitor-parts [visitor]="visitor()" />',
})
export class VisitorIsland {
  protected readonly visitor = slot<Visitor>('island', NOBODY);
}
