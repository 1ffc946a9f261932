import { Component } from '@angular/core';

const WIDTH = 960;
const HEIGHT = 720;
const CELL = 10;

@Component({
  selector: 'app-root',
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
export class Spiral {
  protected readonly tiles = spiralTiles();
}

/** Computed for each render. */
function spiralTiles(): { readonly x: number; readonly y: number }[] {
  const tiles = [];
  let angle = 0;
  for (let radius = 0; radius < HEIGHT / 2; radius += CELL * 0.015) {
    const x = WIDTH / 2 + Math.cos(angle) * radius;
    const y = HEIGHT / 2 + Math.sin(angle) * radius;
    if (x >= 0 && x <= WIDTH - CELL && y >= 0 && y <= HEIGHT - CELL) tiles.push({ x, y });
    angle += 0.2;
  }
  return tiles;
}
