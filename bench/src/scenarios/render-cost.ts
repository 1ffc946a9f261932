import {
  prepareRenderBuild,
  type RenderBuild,
  type RenderSide,
} from '../contestants/render-builds.ts';
import { takeTurns, toRows } from '../measure/compare-sides.ts';
import { isSamePage } from '../measure/page-likeness.ts';
import type { Row } from '../measure/row.ts';
import type { Effort, Session } from '../measure/session.ts';
import type { Scenario } from './scenario.ts';

/** The pages that are rendered, and the builds that have them. */
const PAGES = [
  { work: 'small', build: 'pages', path: '/small' },
  { work: 'product', build: 'shop', path: '/products/3' },
  { work: 'large', build: 'pages', path: '/large' },
] as const;

/** Renders in flight at once, in turns of the sides. */
export const CONCURRENCY = 4;

/** How long and how often the sides of a comparison render. */
export function turnsFor({ rounds, seconds, isQuick }: Effort): {
  readonly rounds: number;
  readonly turnMs: number;
  readonly warmMs: number;
} {
  return { rounds: rounds * 7, turnMs: seconds * 500, warmMs: seconds * (isQuick ? 4000 : 11_500) };
}

/** The names of the sides, the one that is the measure first. */
type Names = Readonly<Partial<Record<RenderSide, string>>>;

async function comparePages(
  session: Session,
  scenario: string,
  engine: 'app' | 'common',
  names: Names,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  // Each build takes as long as all turns of a quick run.
  const { isQuick } = session.effort;
  for (const { work, build: pages, path } of isQuick ? PAGES.slice(0, 1) : PAGES) {
    const build: RenderBuild = `${pages}-${engine}`;
    session.say(`builds ${build}`);
    const modules = prepareRenderBuild(build, Object.keys(names) as RenderSide[]);
    const seed = Date.now() % 2 ** 32;
    session.say(`${work}, seed ${seed}`);
    const sides = Object.entries(names).map(([side, name]) => ({
      name,
      module: modules[side as RenderSide],
    }));
    const turns = turnsFor(session.effort);
    const order = { sides, path, ...turns, concurrency: CONCURRENCY, seed };
    const found = await takeTurns(order, session.onAllCores);
    const note = `${turns.rounds} rounds in one process, seed ${seed}`;
    rows.push(...toRows(found, { scenario, work, isLike: isSamePage, note }));
  }
  return rows;
}

/** What a render costs: Angular's app engine called bare, and ours. */
export const renderScenario: Scenario = {
  name: 'render',
  title: 'CPU per render: AngularNodeAppEngine called bare, and appEngine(), fast and not',
  quick: { seconds: 20, isCpuBound: true, without: 'the pages product and large' },
  run: (session) =>
    comparePages(session, 'render', 'app', {
      bare: 'AngularNodeAppEngine',
      ours: 'ng-ssr appEngine()',
      slow: 'ng-ssr appEngine({ fast: false })',
    }),
};

/** The same of CommonEngine, which inlines critical CSS in each render. */
export const renderCommonScenario: Scenario = {
  name: 'render-common',
  title: 'CPU per render with critical CSS: CommonEngine called bare, and commonEngine()',
  run: (session) =>
    comparePages(session, 'render-common', 'common', {
      bare: 'CommonEngine',
      ours: 'ng-ssr commonEngine()',
      slow: 'ng-ssr commonEngine({ fast: false })',
    }),
};

/** Renders in a thread, with all that the server does around a render, beside the bare engine in-process. */
export const renderThreadsScenario: Scenario = {
  name: 'render-threads',
  title: 'CPU per render in a render thread, beside AngularNodeAppEngine called bare in-process',
  run: (session) =>
    comparePages(session, 'render-threads', 'app', {
      bare: 'AngularNodeAppEngine, in-process',
      'ours-thread': 'ng-ssr appEngine(), 1 worker',
      'slow-thread': 'ng-ssr appEngine({ fast: false }), 1 worker',
    }),
};
