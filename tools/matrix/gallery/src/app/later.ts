import { Component, inject, makeStateKey, signal, TransferState } from '@angular/core';
import { MatButtonModule } from '@angular/material/button';
import { Picture } from './picture';

@Component({
  selector: 'app-later',
  imports: [MatButtonModule, Picture],
  template: `
    <h1>Later</h1>
    @defer (on viewport) {
      <app-picture name="seen" />
    } @placeholder {
      <p i18n="@@waiting">Waiting</p>
    }
    @defer (hydrate on interaction) {
      <app-picture name="touched" />
    }
    @defer (hydrate on viewport) {
      <app-picture name="shown" />
      @defer (hydrate when open()) {
        <app-picture name="opened" />
      }
    }
    @defer (on idle; hydrate never) {
      <app-picture name="fixed" />
    } @placeholder {
      <p>Idle</p>
    }
    <button matButton (click)="open.set(true)">Open</button>
  `,
})
export class Later {
  readonly open = signal(false);

  constructor() {
    inject(TransferState).set(makeStateKey<string>('later'), '</script><!-- “kept” -->');
  }
}
