import type { Encoder } from '../answers/encoder.ts';
import type { Resource } from '../answers/resource.ts';
import type { BuiltFiles } from './request-files.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { SiteReader } from '../host/site.ts';
import type { MainThread, PageCopiesParts } from '../threads/server-threads.ts';
import type { ThreadReport } from '../threads/thread-report.ts';
import type { Locales } from '../locales/locales.ts';
import type { Pages } from '../pages/pages.ts';
import type { PageTraits } from '../pages/traits/page-traits.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { Renderer } from '../render/renderer.ts';

/** What a platform provides for a server: its files, its renders, and what encodes pages. */
export interface Runtime {
  /** Whether there is a build: else the program runs under `ng serve`. */
  readonly isBuilt: boolean;
  readonly index: BuiltFiles;
  /** Undefined where there are no folders, and without a build. */
  readonly browserFolder: string | undefined;
  /** Undefined for a build that is not localized. */
  readonly locales: Locales | undefined;
  /** Pages of the engine that are the same for every request, and its routes, once it has said them. */
  readonly constantPages: {
    readonly routes: readonly string[] | undefined;
    find(target: string): Resource | undefined;
  };
  readonly traits: PageTraits;
  /** Encodings made for clients that wait for a page. */
  readonly encodings: readonly ContentEncoding[];
  readonly renderer: Renderer;
  readonly threads: readonly (() => readonly ThreadReport[])[];
  readonly encoder: Encoder;
  /** As {@link OwnCore.buildIdOf}. */
  readonly buildIdOf: (own: string | undefined) => string;
  /** False in threads that render, and in server threads. */
  readonly isMain: boolean;
  /** In a server thread: the main thread, which renders and stores. */
  readonly main: MainThread | undefined;
  /** The pages of a server thread. */
  toReplica?(parts: Omit<PageCopiesParts, 'traits' | 'cache'>): Pages;
  /** Called with the first request: under `ng serve` the engine knows its hosts only then. */
  readSites(isTrusted: ProxyHeaderPredicate): SiteReader;
}
