import type { EngineSetup, HostLocales, RenderEngine } from '../engine.ts';
import { SsrError } from '../errors.ts';
import type { DocumentMarks } from '../files/sent-content.ts';
import { withoutPorts } from '../host/allowed-hosts.ts';
import { runOutsideRender } from '../render/render-scope.ts';
import type { ResolvedOptions } from './options.ts';

/** What an engine's setup depends on. */
export interface HostOptions extends Pick<
  ResolvedOptions,
  'engine' | 'allowedHosts' | 'trustProxyHeaders' | 'onError'
> {
  readonly files: Pick<ResolvedOptions['files'], 'folder'>;
}

/** Sets up a server's engine with its first render, and reads the engine's hosts and locales. */
export class EngineLoader {
  readonly #options: HostOptions;
  readonly #document: DocumentMarks;
  /** Whether a render has begun. */
  isSetUp = false;
  /** To be set before the first render. */
  hostLocales: HostLocales | undefined;

  /** @param document - What the server puts into documents of the build. */
  constructor(options: HostOptions, document: DocumentMarks) {
    this.#options = options;
    this.#document = document;
  }

  engine(): RenderEngine {
    const { engine } = this.#options;
    if (!this.isSetUp) {
      // The first render calls this, and what the engine then fetches is no call of its page.
      runOutsideRender(() => engine.setup?.(this.setup()));
      this.isSetUp = true;
    }
    return engine;
  }

  /** The setup that an engine gets before its first render, on this thread or another. */
  setup(): EngineSetup {
    const { trustProxyHeaders, files } = this.#options;
    const { nonce, publicConfig } = this.#document;
    return {
      ...this.#engineHosts(),
      trustProxyHeaders,
      browserFolder: files.folder,
      nonce,
      publicConfig,
      hostLocales: this.hostLocales,
    };
  }

  /** Hosts that need not be asked for: those of a list, and of the build. */
  allowedHosts(): readonly string[] {
    const { engine, onError } = this.#options;
    const allowedHosts = this.#listed;
    try {
      return [...allowedHosts, ...(engine.allowedHosts?.() ?? [])];
    } catch (cause) {
      // An engine that cannot start fails its renders; held files are still answered.
      const message =
        'engine.allowedHosts() failed: only the hosts of the option allowedHosts are allowed';
      onError(new SsrError('NG_SSR_RENDER_FAILED', message, { cause }));
      return allowedHosts;
    }
  }

  get #listed(): readonly string[] {
    const { allowedHosts } = this.#options;
    return typeof allowedHosts === 'function' ? [] : allowedHosts;
  }

  #engineHosts(): Pick<EngineSetup, 'allowedHosts' | 'areHostsAsked'> {
    const hosts = withoutPorts(this.allowedHosts());
    if (typeof this.#options.allowedHosts !== 'function') return { allowedHosts: hosts };
    return { allowedHosts: [...hosts, '*'], areHostsAsked: true };
  }

  /** Undefined if the engine cannot start: its renders report that, and built pages are still held. */
  locales(): Readonly<Record<string, string>> | undefined {
    try {
      return this.#options.engine.locales?.();
    } catch {
      return undefined;
    }
  }
}
