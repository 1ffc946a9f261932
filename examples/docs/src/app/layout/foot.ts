import { Component } from '@angular/core';

@Component({
  selector: 'app-foot',
  template: `
    <footer class="foot">
      <p>
        Prerendered by Angular, answered by ng-ssr. For programs:
        <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>. MIT license.
      </p>
    </footer>
  `,
})
export class Foot {}
