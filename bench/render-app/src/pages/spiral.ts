import { Component } from '@angular/core';
import { spiralTiles } from '../../../src/frameworks/spiral-tiles.ts';

/** The spiral of Platformatic's SSR showdown: 2,398 tiles, computed for each render. */
@Component({
  selector: 'app-spiral',
  template: `
    <div id="wrapper">
      @for (tile of tiles; track $index) {
        <div
          class="tile"
          [style.left]="tile.x.toFixed(2) + 'px'"
          [style.top]="tile.y.toFixed(2) + 'px'"
        ></div>
      }
    </div>
  `,
})
export class SpiralPage {
  protected readonly tiles = spiralTiles();
}
