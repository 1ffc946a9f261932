import { prepareRenderBuild } from '../contestants/render-builds.ts';
import { compileFramework } from '../frameworks/compile.ts';
import { takeTurns, toRows } from '../measure/compare-sides.ts';
import { looksTheSame } from '../measure/page-likeness.ts';
import type { Row } from '../measure/row.ts';
import { CONCURRENCY, turnsFor } from './render-cost.ts';
import type { Scenario } from './scenario.ts';

/** Two tasks of public benchmarks, and the element that all frameworks render alike. */
const TASKS = [
  { work: 'table', root: /<table/ },
  { work: 'spiral', root: /<div[^>]* id="wrapper"/ },
] as const;

/** The sides beside Angular's, which come first. */
const OTHERS = { React: 'react', Vue: 'vue', Solid: 'solid', Svelte: 'svelte' } as const;

/** What the same elements cost in Angular, under ng-ssr, and in other frameworks. */
export const frameworksScenario: Scenario = {
  name: 'frameworks',
  title: 'CPU per render of two public tasks: Angular, ng-ssr, React, Vue, Solid and Svelte',
  async run(session) {
    session.say('builds pages');
    const { bare, ours } = prepareRenderBuild('pages-app', ['bare', 'ours']);
    const sides = [
      { name: 'Angular', module: bare },
      { name: 'ng-ssr', module: ours },
      ...Object.entries(OTHERS).map(([name, framework]) => ({
        name,
        module: compileFramework(framework),
      })),
    ];
    const rows: Row[] = [];
    for (const { work, root } of TASKS) {
      const seed = Date.now() % 2 ** 32;
      session.say(`${work}, seed ${seed}`);
      const turns = turnsFor(session.effort);
      const order = { sides, path: `/${work}`, ...turns, concurrency: CONCURRENCY, seed };
      const found = await takeTurns(order, session.onAllCores);
      const note = `${turns.rounds} rounds in one process, seed ${seed}`;
      rows.push(
        ...toRows(found, { scenario: 'frameworks', work, isLike: looksTheSame(root), note }),
      );
    }
    return rows;
  },
};
