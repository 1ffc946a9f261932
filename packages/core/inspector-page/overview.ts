import type { InspectorState, Sample } from '../src/features/inspector/protocol.ts';
import { bytes, count, milliseconds, seconds, share } from './amounts.ts';
import { Chart, roundUp } from './chart.ts';
import { byId, element, fill, foreign, row, setText, visible } from './dom.ts';

type Requests = Sample['requests'];

const RESULTS = ['hit', 'stale', 'miss', 'bypass'] as const;
const FALLBACKS = ['stale', 'csr', 'unavailable'] as const;
/** Rates are those of these seconds. */
const RECENT = 10;
const KIB = 1024;

const perSecond = (value: number): string => `${count(value)}/s`;
/** Sizes end at a round number of their unit. */
const roundBytes = (most: number): number => {
  const unit = KIB ** Math.floor(Math.log(Math.max(most, KIB)) / Math.log(KIB));
  return roundUp(most / unit) * unit;
};

/** The parts of the page that show the state: figures, charts and short tables. */
export class Overview {
  readonly #ratio = new Chart('ratio', { names: ['hits'], format: percent, top: () => 100 });
  readonly #times = new Chart('times', { names: ['mean'], format: milliseconds });
  readonly #requests = new Chart('requests', { names: RESULTS, format: perSecond });
  readonly #renders = new Chart('renders', {
    names: ['finished per second', 'running', 'queued'],
    format: count,
  });
  readonly #shed = new Chart('shed', { names: FALLBACKS, format: perSecond });
  readonly #memory = new Chart('memory', { names: ['RSS'], format: bytes, top: roundBytes });
  readonly #cpu = new Chart('cpu', {
    names: ['CPU'],
    format: percent,
    top: (most) => Math.max(100, roundUp(most)),
  });

  show(state: InspectorState): void {
    showHeadline(state);
    showFigures(state);
    this.#draw(state);
    showRenders(state);
    showRoutes(state);
    showSlots(state);
    showThreads(state);
    showNotices(state);
  }

  #draw({ history, timeMs }: InspectorState): void {
    const of = (read: (sample: Sample) => number | undefined) => history.map(read);
    const at = history.at(-1)?.timeMs ?? timeMs;
    this.#ratio.draw([of(({ requests }) => ratioOf(requests))], at);
    this.#times.draw([of(meanOf)], at);
    this.#requests.draw(
      RESULTS.map((name) => of((s) => s.requests[name])),
      at,
    );
    this.#renders.draw([of((s) => s.renders), of((s) => s.running), of((s) => s.queued)], at);
    this.#shed.draw(
      FALLBACKS.map((name) => of((s) => s.shed[name])),
      at,
    );
    this.#memory.draw([of((s) => s.rssBytes)], at);
    this.#cpu.draw([of((s) => s.cpuMs / 10)], at);
  }
}

/** Of the requests for pages, how many percent were answered from memory; undefined without any. */
function ratioOf(requests: Requests): number | undefined {
  const found = requests.hit - requests.file + requests.stale;
  const all = found + requests.miss;
  return all === 0 ? undefined : (100 * found) / all;
}

function meanOf({ renders, renderMs }: Pick<Sample, 'renders' | 'renderMs'>): number | undefined {
  return renders === 0 ? undefined : renderMs / renders;
}

function shown(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value);
}

/** The two numbers that tell how a server does, of the last five minutes and since the start. */
function showHeadline({ history, requests, routes }: InspectorState): void {
  const total = (read: (sample: Sample) => number): number => sum(history.map(read));
  const recent = {
    hit: total((s) => s.requests.hit),
    file: total((s) => s.requests.file),
    stale: total((s) => s.requests.stale),
    miss: total((s) => s.requests.miss),
    bypass: 0,
  };
  const renders = total((s) => s.renders);
  const renderMs = total((s) => s.renderMs);
  const [slowest] = routes.toSorted((one, other) => other.maxMs - one.maxMs);
  setText(byId('figure-ratio'), shown(ratioOf(recent), oneDecimal));
  setText(byId('note-ratio'), `since the start ${shown(ratioOf(requests), oneDecimal)}`);
  setText(byId('figure-time'), shown(meanOf({ renders, renderMs }), milliseconds));
  const longest = slowest && `up to ${milliseconds(slowest.maxMs)} on ${visible(slowest.route)}`;
  setText(byId('note-time'), longest ?? 'no page was rendered');
}

function showFigures(state: InspectorState): void {
  const { requests, renders, pages, calls, memory, shed, versions } = state;
  const all = answered(requests);
  const rate = sum(state.history.slice(-RECENT).map((s) => answered(s.requests))) / RECENT;
  const figures: Readonly<Record<string, string>> = {
    rate: rate.toFixed(rate < 10 ? 1 : 0),
    hits: share(requests.hit, all),
    stale: share(requests.stale, all),
    misses: share(requests.miss, all),
    renders: `${renders.inFlight.length} / ${renders.concurrency}`,
    queued: `${count(renders.queued)} / ${count(renders.maxQueued)}`,
    failed: `${count(renders.failed)} of ${count(renders.ended)}`,
    errors: count(renders.pageErrors),
    fallbacks: count(sum(Object.values(shed))),
    stored: `${count(pages.count)} (${bytes(pages.bytes)} of ${bytes(pages.maxBytes)})`,
    memory: `${bytes(memory.rssBytes)} of ${bytes(memory.limitBytes)}`,
    heap: `${bytes(memory.heapUsedBytes)} of ${bytes(memory.heapLimitBytes)}`,
    calls:
      calls.count === 0
        ? '0'
        : `${count(calls.count)}, ${share(calls.saved, calls.count)} saved, ${count(calls.failed)} failed`,
  };
  for (const [name, text] of Object.entries(figures)) setText(byId(`figure-${name}`), text);
  const up = seconds((state.timeMs - state.startedAtMs) / 1000);
  const build = state.buildId === '' ? '' : `build ${state.buildId}, `;
  setText(
    byId('server'),
    `${build}ng-ssr ${versions.ngSsr}, Node ${versions.node}, process ${state.pid}, up ${up}`,
  );
}

function answered(requests: Requests): number {
  return sum(RESULTS.map((name) => requests[name]));
}

function showRenders({ renders }: InspectorState): void {
  const rows = renders.inFlight.map(({ name, sinceMs, queuedMs }) =>
    row(foreign(name), milliseconds(sinceMs), milliseconds(queuedMs)),
  );
  fill(byId('renders-rows'), rows, 'No page is being rendered.');
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

function showSlots({ slots }: InspectorState): void {
  const rows = slots.map(({ name, routes, call = '', filled, failed, timeout, skipped }) => {
    const counts = [filled, failed, timeout, skipped].map(count);
    return row(name, routes.join(', '), call, ...counts);
  });
  fill(byId('slots-rows'), rows, 'The server has no slots.');
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
  fill(byId('threads-rows'), rows, 'None: the main thread answers and renders.');
}

function showNotices({ notices, renders }: InspectorState): void {
  const rows = notices.map(({ timeMs, code, message }) =>
    row(new Date(timeMs).toLocaleTimeString(), code, foreign(message)),
  );
  fill(byId('notices-rows'), rows, withoutNotices(renders));
}

/** Failed renders and errors of pages are not notices: they are in the log, or in `onError`. */
function withoutNotices({ failed, pageErrors }: InspectorState['renders']): string {
  if (failed === 0 && pageErrors === 0) return 'Nothing was reported.';
  const errors = [
    failed > 0 && `${count(failed)} ${failed === 1 ? 'render' : 'renders'} failed`,
    pageErrors > 0 &&
      `${count(pageErrors)} page ${pageErrors === 1 ? 'error was' : 'errors were'} not handled`,
  ];
  const parts = errors.filter((part) => part !== false);
  return `No notices, but ${parts.join(', and ')}. See the log of the server.`;
}

function percent(value: number): string {
  return `${Math.round(value)} %`;
}

function oneDecimal(value: number): string {
  return `${value.toFixed(1)} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
