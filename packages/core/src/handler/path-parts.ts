import type { NonceFiller } from '../answers/nonce.ts';
import type { Resource } from '../answers/resource.ts';
import type { SsrError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { UnheldFile } from '../files/answer-file.ts';
import type { LargeFile } from '../files/large-file.ts';
import type { ErrorPages } from '../files/error-pages.ts';
import type { InspectorDoor } from '../inspector/inspector.ts';
import type { LocaleRedirects } from '../locales/locale-redirects.ts';
import type { Locales } from '../locales/locales.ts';
import type { Pages } from '../pages/pages.ts';
import type { PurgeEndpoint } from '../pages/purge-endpoint.ts';
import type { Visit } from '../pages/visit.ts';
import type { ResolvedRenderOptions } from '../render/render-options.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { Failures } from './failures.ts';
import type { ResolvedOptions } from './options.ts';
import type { OverloadLadder } from './overload-ladder.ts';
import type { RenderRules } from './render-rules.ts';
import type { SpeculationRules } from './speculation-rules.ts';

/** Options that the request path itself reads. */
export interface PathOptions extends Pick<ResolvedOptions, 'cache' | 'serverTiming'> {
  readonly render: Pick<ResolvedRenderOptions, 'deadlineMs' | 'fallbacks' | 'prefetch'>;
}

/** The parts of the request path, which are the same on every platform. */
export interface PathParts {
  readonly options: PathOptions;
  /** Whether there is a build: else the program runs under `ng serve`. */
  readonly isBuilt: boolean;
  readonly built: {
    find(target: string, site?: string): Resource | undefined;
    findLarge(target: string, site?: string): UnheldFile | undefined;
    /** Which targets have the names of files with a hash; undefined where such names are not told from others. */
    readonly hashed?:
      | {
          pathOf(target: string): string | undefined;
          isAmongThem(path: string): boolean;
        }
      | undefined;
  };
  /** Undefined without the option `builds`. */
  readonly otherBuilds:
    { find(path: string): Promise<Resource | LargeFile | undefined> } | undefined;
  /** Pages of the engine that are the same for every request. */
  readonly constantPages: { find(target: string): Resource | undefined };
  /** Undefined without the option `dictionaries`. */
  readonly pageFileCodings: { want(exchange: Exchange, page: Resource): void } | undefined;
  readonly pages: Pages;
  readonly earlyHints: { send(visit: Visit): void } | undefined;
  readonly purgeEndpoint: PurgeEndpoint | undefined;
  /** Undefined without the option. */
  readonly inspector: InspectorDoor | undefined;
  readonly ladder: OverloadLadder;
  readonly renderRules: RenderRules;
  /** Undefined without the option. */
  readonly speculationRules: SpeculationRules | undefined;
  readonly errorPages: ErrorPages;
  /** Undefined for a build that is not localized. */
  readonly locales: Locales | undefined;
  /** Undefined without the option `locales.by`: the engine then redirects as it does. */
  readonly localeRedirects: LocaleRedirects | undefined;
  readonly failures: Failures;
  readonly nonce: NonceFiller | undefined;
  readonly log: RequestLog | undefined;
  /** In a server thread: the main thread, which renders and stores. */
  readonly main: object | undefined;
  /** Reports an error once, even if several requests fail with it. */
  readonly report: (error: SsrError) => void;
}
