import type { EngineSetup, RenderEngine } from '../engine.ts';
import type { SsrError } from '../errors.ts';
import type { RenderThreadData } from '../render-thread.ts';
import type { Renderer } from './renderer.ts';

/** Threads that render in place of the main thread, as a feature adds them to a server. */
export interface RenderThreads {
  readonly threads: ThreadBounds;
  /** Called once. No thread starts before {@link Renderer.ready}, or the first render. */
  open(parts: RenderThreadsParts): ThreadedRenderer;
}

/** Makes this a render thread: it renders what the main thread sends, with this engine. */
export type AnswerRenders = (engine: RenderEngine, thread: RenderThreadData) => void;

/** The fewest and the most threads; equal numbers fix it. */
export interface ThreadBounds {
  readonly min: number;
  readonly max: number;
}

/** The parts of a server that its render threads need. */
export interface RenderThreadsParts {
  /** Which of the program's handlers it is, from 0 in order of creation. */
  readonly handler: number;
  /** Renders while no thread can be started. */
  readonly inProcess: Renderer;
  /** Called once, when the threads are started. */
  readonly setup: () => EngineSetup;
  readonly onError: (error: SsrError) => void;
}

/** Renders on threads. */
export interface ThreadedRenderer extends Renderer {
  /** The threads that have not ended. */
  report(): readonly RenderThreadReport[];
}

/** A render thread, for the inspector. */
export interface RenderThreadReport {
  readonly threadId: number;
  readonly kind: 'render';
  readonly state: 'starting' | 'ready' | 'ending';
  /** Renders that it has answered. */
  readonly done: number;
}
