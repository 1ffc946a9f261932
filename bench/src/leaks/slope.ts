/** The slope of the line with the least squares through the points; 0 for fewer than two. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: 'x' | 'y'): number =>
    points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean('x'), mean('y')];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  if (spread === 0 || points.length < 2) return 0;
  return points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}
