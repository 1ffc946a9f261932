import type { Form, Product } from '../data/products';

/**
 * Pottery as geometry: a form is a lathe profile, drawn on a board with its middle at x = 100 and
 * standing on a shelf at y = 168. Everything is derived from the product, so server and browser draw the same.
 */
export interface VesselShape {
  readonly body: string;
  readonly glaze: string;
  readonly dip: string;
  readonly rings: string;
  readonly speckles: string;
  readonly handle: string;
  readonly spout: string;
  readonly lid: string;
  readonly knob: { readonly x: number; readonly y: number; readonly r: number } | null;
  readonly rim: Ellipse | null;
  readonly saucer: Ellipse | null;
  readonly shadow: Ellipse;
  readonly highlight: string;
}

interface Ellipse {
  readonly cx: number;
  readonly cy: number;
  readonly rx: number;
  readonly ry: number;
}

interface Lathe {
  readonly top: number;
  /** Pairs of [0 at the rim … 1 at the foot, radius]. */
  readonly profile: readonly (readonly [number, number])[];
  /** How far down the glaze runs before the bare foot. */
  readonly glazeTo: number;
}

const SHELF = 168;
const MIDDLE = 100;

const LATHES: Record<Exclude<Form, 'plate'>, Lathe> = {
  mug: {
    top: 72,
    profile: [
      [0, 42],
      [0.1, 42.5],
      [0.5, 43],
      [0.85, 41],
      [0.96, 37],
      [1, 34],
    ],
    glazeTo: 0.86,
  },
  tumbler: {
    top: 58,
    profile: [
      [0, 39],
      [0.1, 39],
      [0.5, 37],
      [0.88, 33.5],
      [0.97, 31],
      [1, 29],
    ],
    glazeTo: 0.88,
  },
  bowl: {
    top: 100,
    profile: [
      [0, 72],
      [0.12, 71],
      [0.45, 60],
      [0.75, 40],
      [0.88, 27],
      [0.93, 25],
      [1, 26],
    ],
    glazeTo: 0.8,
  },
  'deep-bowl': {
    top: 82,
    profile: [
      [0, 70],
      [0.1, 70.5],
      [0.4, 67],
      [0.7, 51],
      [0.87, 31],
      [0.92, 28],
      [1, 30],
    ],
    glazeTo: 0.78,
  },
  'moon-jar': {
    top: 46,
    profile: [
      [0, 23],
      [0.05, 22],
      [0.1, 29],
      [0.2, 46],
      [0.32, 57.5],
      [0.46, 63.5],
      [0.6, 63],
      [0.72, 57],
      [0.84, 46],
      [0.94, 33],
      [0.98, 27.5],
      [1, 27],
    ],
    glazeTo: 0.93,
  },
  bottle: {
    top: 24,
    profile: [
      [0, 15],
      [0.03, 14],
      [0.1, 9.5],
      [0.3, 9],
      [0.42, 13],
      [0.56, 31],
      [0.7, 43],
      [0.82, 44],
      [0.95, 36],
      [1, 32],
    ],
    glazeTo: 0.9,
  },
  'bud-vase': {
    top: 64,
    profile: [
      [0, 17],
      [0.05, 15],
      [0.16, 10.5],
      [0.26, 13],
      [0.44, 31],
      [0.6, 39],
      [0.76, 37],
      [0.94, 25],
      [1, 23],
    ],
    glazeTo: 0.86,
  },
  cylinder: {
    top: 26,
    profile: [
      [0, 35],
      [0.04, 34],
      [0.1, 33.5],
      [0.5, 35],
      [0.9, 36],
      [0.98, 35],
      [1, 33],
    ],
    glazeTo: 0.92,
  },
  pitcher: {
    top: 50,
    profile: [
      [0, 31],
      [0.06, 29],
      [0.2, 26.5],
      [0.36, 31],
      [0.56, 43],
      [0.74, 46],
      [0.92, 37],
      [1, 32],
    ],
    glazeTo: 0.87,
  },
  teapot: {
    top: 88,
    profile: [
      [0, 24],
      [0.08, 32],
      [0.26, 48],
      [0.5, 54],
      [0.74, 49],
      [0.93, 34],
      [1, 30],
    ],
    glazeTo: 0.84,
  },
  planter: {
    top: 68,
    profile: [
      [0, 56],
      [0.14, 56],
      [0.16, 53],
      [0.5, 49],
      [0.9, 41],
      [1, 39],
    ],
    glazeTo: 0.82,
  },
  jar: {
    top: 76,
    profile: [
      [0, 40],
      [0.06, 41],
      [0.16, 46],
      [0.45, 51],
      [0.75, 49],
      [0.94, 41],
      [1, 37],
    ],
    glazeTo: 0.86,
  },
};

const n = (value: number) => Math.round(value * 10) / 10;

/** A small seeded generator (mulberry32): the same pot always gets the same drips. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Point = readonly [number, number];

/** A Catmull-Rom spline through the points, as SVG curves; the pen is already at the first. */
function spline(points: readonly Point[]): string {
  let path = '';
  for (let i = 0; i < points.length - 1; i++) {
    const p1 = points[i]!;
    const p2 = points[i + 1]!;
    const p0 = points[i - 1] ?? p1;
    const p3 = points[i + 2] ?? p2;
    path +=
      `C${n(p1[0] + (p2[0] - p0[0]) / 6)} ${n(p1[1] + (p2[1] - p0[1]) / 6)} ` +
      `${n(p2[0] - (p3[0] - p1[0]) / 6)} ${n(p2[1] - (p3[1] - p1[1]) / 6)} ` +
      `${n(p2[0])} ${n(p2[1])}`;
  }
  return path;
}

/** The lower edge of a glaze: it bulges towards the viewer and runs a little. */
function glazePath(y: number, radius: number, runs: number, rnd: () => number): string {
  const points: Point[] = [];
  for (let x = 10; x <= 190; x += 12) {
    const away = Math.min(1, Math.abs(x - MIDDLE) / radius);
    points.push([x, y + radius * 0.15 * (1 - away * away) + (rnd() - 0.4) * runs]);
  }
  const first = points[0]!;
  return `M0 0V${n(first[1])}L${n(first[0])} ${n(first[1])}${spline(points)}L200 ${n(first[1])}V0Z`;
}

const NOTHING = {
  handle: '',
  spout: '',
  lid: '',
  knob: null,
  rim: null,
  saucer: null,
} as const;

export function vesselShape(product: Product): VesselShape {
  const rnd = random(Number(product.id) * 7919);
  return product.form === 'plate' ? plate(product, rnd) : thrown(product, product.form, rnd);
}

function speckle(count: number, rnd: () => number): string {
  let path = '';
  for (let i = 0; i < count; i++) path += `M${n(30 + rnd() * 140)} ${n(24 + rnd() * 140)}h0`;
  return path;
}

/** A plate is seen from above. */
function plate(product: Product, rnd: () => number): VesselShape {
  const r = 70 * (product.scale ?? 1);
  const ring = (radius: number) =>
    `M${n(100 - radius)} 100a${n(radius)} ${n(radius)} 0 1 0 ${n(radius * 2)} 0` +
    `a${n(radius)} ${n(radius)} 0 1 0 ${n(-radius * 2)} 0`;
  const edge = 100 - r + 2 * r * (product.dipTo ?? 0);
  return {
    ...NOTHING,
    body: `${ring(r)}Z`,
    glaze: `${ring(r - 2.6)}Z`,
    dip: product.dip ? glazePath(edge, r * 1.6, 5, rnd) : '',
    rings: `${ring(r * 0.68)}${ring(r * 0.64)}${ring(r * 0.3)}${ring(r * 0.14)}`,
    speckles: speckle(40, rnd),
    shadow: { cx: 100, cy: 107, rx: n(r), ry: n(r) },
    highlight: `M${n(100 - r * 0.8)} ${n(100 - r * 0.28)}A${n(r * 0.85)} ${n(r * 0.85)} 0 0 1 ${n(100 - r * 0.2)} ${n(100 - r * 0.82)}`,
  };
}

function thrown(product: Product, form: Exclude<Form, 'plate'>, rnd: () => number): VesselShape {
  const { top: unscaledTop, profile, glazeTo } = LATHES[form];
  const scale = product.scale ?? 1;
  const top = SHELF - (SHELF - unscaledTop) * scale;
  const at = (t: number) => top + (SHELF - top) * t;
  const right = profile.map(([t, r]): Point => [MIDDLE + r * scale, at(t)]);
  const left = right.map(([x, y]): Point => [2 * MIDDLE - x, y]).reverse();
  const rimR = profile[0]![1] * scale;
  const footR = profile.at(-1)![1] * scale;
  const widest = Math.max(...profile.map(([, r]) => r)) * scale;
  const rimRy = Math.max(2.2, rimR * 0.17);
  const radiusAt = (t: number) => {
    const after = profile.findIndex(([pt]) => pt >= t);
    const [t1, r1] = profile[after]!;
    const [t0, r0] = profile[after - 1] ?? [t1 - 1, r1];
    return (r0 + ((r1 - r0) * (t - t0)) / (t1 - t0)) * scale;
  };

  const body =
    `M${n(right[0]![0])} ${n(top)}${spline(right)}` +
    `A${n(footR)} ${n(footR * 0.16)} 0 0 1 ${n(left[0]![0])} ${n(SHELF)}` +
    `${spline(left)}A${n(rimR)} ${n(rimRy)} 0 0 1 ${n(right[0]![0])} ${n(top)}Z`;

  let rings = '';
  for (let i = 1; i < 5; i++) {
    const t = 0.14 + i * 0.15;
    const r = radiusAt(t);
    rings += `M${n(MIDDLE - r)} ${n(at(t))}A${n(r)} ${n(r * 0.15)} 0 0 0 ${n(MIDDLE + r)} ${n(at(t))}`;
  }

  const streak = profile
    .filter(([t]) => t > 0.1 && t < 0.82)
    .map(([t, r]): Point => [MIDDLE - r * scale * 0.66, at(t) + r * scale * 0.08]);
  const highlight =
    streak.length > 1 ? `M${n(streak[0]![0])} ${n(streak[0]![1])}${spline(streak)}` : '';

  const s = (x: number, y: number) => `${n(MIDDLE + x * scale)} ${n(SHELF - y * scale)}`;
  const lidded = form === 'teapot' || form === 'jar';
  const lidR = rimR * (form === 'jar' ? 1.04 : 0.98);
  const dome = (form === 'jar' ? 15 : 13) * scale;

  return {
    ...NOTHING,
    body,
    glaze: glazePath(at(glazeTo), radiusAt(glazeTo), 3.4, rnd),
    dip: product.dip
      ? glazePath(at(product.dipTo ?? 0.4), radiusAt(product.dipTo ?? 0.4), 7, rnd)
      : '',
    rings,
    speckles: speckle(46, rnd),
    handle:
      form === 'mug'
        ? `M${s(40, 80)}C${s(74, 84)} ${s(74, 26)} ${s(40, 28)}`
        : form === 'pitcher'
          ? `M${s(27, 106)}C${s(70, 116)} ${s(72, 48)} ${s(42, 36)}`
          : form === 'teapot'
            ? `M${s(42, 66)}C${s(86, 80)} ${s(84, 18)} ${s(46, 20)}`
            : '',
    spout:
      form === 'teapot'
        ? `M${s(-44, 55)}C${s(-60, 52)} ${s(-62, 66)} ${s(-73, 81)}L${s(-85, 76)}C${s(-77, 58)} ${s(-72, 26)} ${s(-40, 14)}Z`
        : form === 'pitcher'
          ? `M${s(-12, 122)}C${s(-24, 124)} ${s(-36, 126)} ${s(-45, 126)}C${s(-41, 116)} ${s(-33, 108)} ${s(-27, 92)}L${s(-14, 98)}Z`
          : '',
    lid: lidded
      ? `M${n(MIDDLE - lidR)} ${n(top)}C${n(MIDDLE - lidR * 0.8)} ${n(top - dome)} ${n(MIDDLE + lidR * 0.8)} ${n(top - dome)} ${n(MIDDLE + lidR)} ${n(top)}A${n(lidR)} ${n(rimRy)} 0 0 1 ${n(MIDDLE - lidR)} ${n(top)}Z`
      : '',
    knob: lidded ? { x: MIDDLE, y: n(top - dome * 0.98), r: n(6 * scale) } : null,
    rim: lidded ? null : { cx: MIDDLE, cy: n(top), rx: n(rimR), ry: n(rimRy) },
    saucer:
      form === 'planter'
        ? { cx: MIDDLE, cy: n(SHELF + 2), rx: n(50 * scale), ry: n(8 * scale) }
        : null,
    shadow: { cx: MIDDLE + 6, cy: SHELF + 3, rx: n(Math.max(footR * 1.25, widest * 0.92)), ry: 7 },
    highlight,
  };
}
