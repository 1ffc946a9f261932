import { setTimeout as wait } from 'node:timers/promises';
import { SsrError } from '@ng-ssr/core/pack';
import { AskedProgram } from '../doctor/facts/asked-program.ts';
import type { Surroundings } from '../doctor/diagnose.ts';
import { findBuild, type Wanted } from '../doctor/facts/find-build.ts';
import { readBuild } from '../doctor/facts/read-build.ts';
import type { FillMessage, FillQuestion } from '../doctor/probe/probe-message.ts';
import { Progress } from '../terminal/progress.ts';
import { wrongArguments } from '../wrong-arguments.ts';
import type { WantedPage } from './read-sitemap.ts';

/** What is to be rendered. */
export interface RenderWork extends Wanted {
  readonly pages: readonly WantedPage[];
  /** Most renders that begin in a second. Undefined: as many as the program has time for. */
  readonly ratePerSecond: number | undefined;
  /** Pages that are asked for at the same time. */
  readonly concurrency: number;
  /** How long the program may take to its start, and each page. */
  readonly withinMs: number;
  /** Aborted when no further page is to be rendered. */
  readonly stop: AbortSignal;
}

/** The result of {@link renderPages}. */
export interface RenderReport {
  readonly pages: number;
  readonly rendered: number;
  /** Pages that the page store had. */
  readonly cached: number;
  readonly notStored: readonly PageReport[];
  readonly failed: readonly PageReport[];
  /** Pages that were left when the command was stopped, or the program ended. */
  readonly left: number;
  readonly seconds: number;
}

/** A page that is not in the page store. */
export interface PageReport {
  readonly url: string;
  readonly reason: string;
}

/**
 * Runs the program of a build, without a port, and has it render pages into its page store. A page that the store has is
 * not rendered again, unless it is older than its `<lastmod>`: so a run that was stopped is continued by the next one.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_START_FAILED`
 */
export async function renderPages(
  work: RenderWork,
  surroundings: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<RenderReport> {
  const place = findBuild(surroundings.cwd, work);
  if (!readBuild(place).hasServer) throw wrongArguments(`${place.server} is missing`);
  const progress = new Progress('rendering', 'pages');
  const asks = { file: undefined, page: undefined, render: undefined, isFilling: true };
  const program = new AskedProgram<FillQuestion, FillMessage>(
    place.server,
    { ...asks, withinMs: work.withinMs },
    work.withinMs,
    surroundings,
    (text) => progress.interrupt(text.trimEnd()),
  );
  try {
    const failure = (await program.start()) ?? whyNotKept(program);
    if (failure !== undefined) {
      throw new SsrError('NG_SSR_START_FAILED', `pages cannot be rendered: ${failure}`);
    }
    return await renderAll(work, program, progress);
  } finally {
    progress.end();
    await program.leave();
  }
}

/** Why pages would be gone when the program ends. */
function whyNotKept({ known }: AskedProgram<FillQuestion, FillMessage>): string | undefined {
  if (Object.hasOwn(known.description!.features, 'shared-store')) return undefined;
  return 'the server has no page store, so they would be gone with the process: add withSharedStore()';
}

async function renderAll(
  { concurrency, pages, ratePerSecond, stop, withinMs }: RenderWork,
  program: AskedProgram<FillQuestion, FillMessage>,
  progress: Progress,
): Promise<RenderReport> {
  const sinceMs = performance.now();
  const counts = { rendered: 0, cached: 0 };
  const notStored: PageReport[] = [];
  const failed: PageReport[] = [];
  let done = 0;
  let begun = 0;
  const isOver = (): boolean => stop.aborted || program.ending !== undefined;
  const work = async (): Promise<void> => {
    while (begun < pages.length && !isOver()) {
      const at = begun++;
      if (ratePerSecond !== undefined) {
        const waitMs = sinceMs + (at * 1000) / ratePerSecond - performance.now();
        if (waitMs > 0) await wait(waitMs, undefined, { signal: stop }).catch(() => undefined);
        if (isOver()) return;
      }
      const page = pages[at]!;
      const { error, filled } = (await program.ask(page)) ?? {};
      done++;
      progress.show(done, pages.length);
      const { url } = page;
      const silence = program.ending ?? `the program did not respond within ${withinMs / 1000} s`;
      const { reason = error ?? silence, result = 'failed' } = filled ?? {};
      if (result === 'failed') failed.push({ url, reason });
      else if (result === 'notStored') notStored.push({ url, reason });
      else counts[result]++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, pages.length) }, work));
  const seconds = (performance.now() - sinceMs) / 1000;
  return {
    ...{ pages: pages.length, ...counts, notStored, failed },
    ...{ left: pages.length - done, seconds },
  };
}
