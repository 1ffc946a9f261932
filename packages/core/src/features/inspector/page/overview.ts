import type { InspectorState, Sample } from '../protocol.ts';
import { bytes, count, milliseconds, seconds, share } from './amounts.ts';
import { Chart } from './chart.ts';
import { byId, element, fill, foreign, row, setText } from './dom.ts';

const RESULTS = ['hit', 'stale', 'miss', 'bypass'] as const;
const FALLBACKS = ['stale', 'csr', 'unavailable'] as const;
/** Rates are those of these seconds. */
const RECENT = 10;

/** The parts of the page that show the state: figures, charts and short tables. */
export class Overview {
  readonly #requests = new Chart(byId('chart-requests'), RESULTS, count);
  readonly #renders = new Chart(byId('chart-renders'), ['renders', 'running', 'queued'], count);
  readonly #times = new Chart(byId('chart-times'), ['mean'], milliseconds);
  readonly #shed = new Chart(byId('chart-shed'), FALLBACKS, count);
  readonly #memory = new Chart(byId('chart-memory'), ['resident'], bytes);
  readonly #cpu = new Chart(byId('chart-cpu'), ['CPU'], percent);

  show(state: InspectorState): void {
    this.#showFigures(state);
    this.#draw(state.history);
    showRenders(state);
    showRoutes(state);
    showThreads(state);
    showNotices(state);
  }

  #showFigures(state: InspectorState): void {
    const { requests, renders, pages, calls, memory, shed, versions } = state;
    const all = sum(Object.values(requests));
    const recent = state.history.slice(-RECENT);
    const rate = sum(recent.flatMap((sample) => Object.values(sample.requests))) / RECENT;
    const figures: Readonly<Record<string, string>> = {
      rate: rate.toFixed(rate < 10 ? 1 : 0),
      hits: share(requests.hit, all),
      stale: share(requests.stale, all),
      misses: share(requests.miss, all),
      renders: `${renders.underWay.length} / ${renders.concurrency}`,
      queued: `${count(renders.queued)} / ${count(renders.maxQueued)}`,
      failed: `${count(renders.failed)} of ${count(renders.ended)}`,
      errors: count(renders.pageErrors),
      fallbacks: count(sum(Object.values(shed))),
      stored: `${count(pages.count)} (${bytes(pages.bytes)} of ${bytes(pages.maxBytes)})`,
      memory: `${bytes(memory.rssBytes)} of ${bytes(memory.limitBytes)}`,
      heap: `${bytes(memory.heapUsedBytes)} of ${bytes(memory.heapLimitBytes)}`,
      calls: `${count(calls.count)}, ${share(calls.saved, calls.count)} saved, ${count(calls.failed)} failed`,
    };
    for (const [name, text] of Object.entries(figures)) setText(byId(`figure-${name}`), text);
    const up = seconds((state.timeMs - state.startedAtMs) / 1000);
    const build = state.buildId === '' ? '' : `build ${state.buildId}, `;
    setText(
      byId('server'),
      `${build}ng-ssr ${versions.ngSsr}, Node ${versions.node}, process ${state.pid}, up ${up}`,
    );
  }

  #draw(history: readonly Sample[]): void {
    const of = (read: (sample: Sample) => number): number[] => history.map(read);
    this.#requests.draw(RESULTS.map((name) => ({ name, values: of((s) => s.requests[name]) })));
    this.#renders.draw([
      { name: 'renders', values: of((s) => s.renders) },
      { name: 'running', values: of((s) => s.running) },
      { name: 'queued', values: of((s) => s.queued) },
    ]);
    const mean = of((s) => (s.renders === 0 ? 0 : s.renderMs / s.renders));
    this.#times.draw([{ name: 'mean', values: mean }]);
    this.#shed.draw(FALLBACKS.map((name) => ({ name, values: of((s) => s.shed[name]) })));
    this.#memory.draw([{ name: 'resident', values: of((s) => s.rssBytes) }]);
    this.#cpu.draw([{ name: 'CPU', values: of((s) => s.cpuMs / 10) }]);
  }
}

function showRenders({ renders }: InspectorState): void {
  const rows = renders.underWay.map(({ name, sinceMs, queuedMs }) =>
    row(foreign(name), milliseconds(sinceMs), milliseconds(queuedMs)),
  );
  fill(byId('renders-rows'), rows, 'No page is rendered now.');
}

function showRoutes({ routes }: InspectorState): void {
  const rows = routes.map(({ route, renders, failed, meanMs, maxMs }) =>
    row(
      foreign(route),
      count(renders),
      count(failed),
      milliseconds(meanMs),
      milliseconds(maxMs),
      milliseconds(meanMs * renders),
    ),
  );
  fill(byId('routes-rows'), rows, 'Nothing has been rendered yet.');
}

function showThreads({ threads }: InspectorState): void {
  const rows = threads.map(({ threadId, kind, state, done }) =>
    row(
      String(threadId),
      kind,
      element('span', { class: `state state-${state}` }, state),
      `${count(done)} ${kind === 'render' ? 'renders' : 'requests'}`,
    ),
  );
  fill(byId('threads-rows'), rows, 'The main thread answers and renders alone.');
}

function showNotices({ notices, renders }: InspectorState): void {
  const rows = notices.map(({ timeMs, code, message }) =>
    row(new Date(timeMs).toLocaleTimeString(), code, foreign(message)),
  );
  fill(byId('notices-rows'), rows, withoutNotices(renders));
}

/** Failed renders and errors of pages are no notices: they are in the log, or in `onError`. */
function withoutNotices({ failed, pageErrors }: InspectorState['renders']): string {
  if (failed === 0 && pageErrors === 0) return 'Nothing was reported.';
  const errors = [
    `${count(failed)} ${failed === 1 ? 'render has' : 'renders have'} failed`,
    `pages have left ${count(pageErrors)} ${pageErrors === 1 ? 'error' : 'errors'} unhandled`,
  ];
  return `No notices, but ${errors.join(', and ')}: see the log of the server.`;
}

function percent(value: number): string {
  return `${Math.round(value)} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
