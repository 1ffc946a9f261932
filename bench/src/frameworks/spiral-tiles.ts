/** Where a tile of the spiral lies. */
export interface Tile {
  readonly x: number;
  readonly y: number;
}

const WIDTH = 960;
const HEIGHT = 720;
const CELL = 10;

/** The spiral of platformatic/ssr-performance-showdown: computed for each request, as there. */
export function spiralTiles(): readonly Tile[] {
  const tiles: Tile[] = [];
  let angle = 0;
  for (let radius = 0; radius < HEIGHT / 2; radius += CELL * 0.015) {
    const x = WIDTH / 2 + Math.cos(angle) * radius;
    const y = HEIGHT / 2 + Math.sin(angle) * radius;
    if (x >= 0 && x <= WIDTH - CELL && y >= 0 && y <= HEIGHT - CELL) tiles.push({ x, y });
    angle += 0.2;
  }
  return tiles;
}
