import { Rare } from '../rare.ts';
import type { TreeElement } from '../shapes.ts';

/** One listener as Angular's `dispatchEvent` takes it from `_listeners`. */
interface Listener {
  readonly listener: unknown;
  readonly capture: unknown;
  readonly f?: unknown;
}

/**
 * Listeners of elements. An Angular page registers many and dispatches nothing on a server, so they are kept in a flat
 * list; Angular's own `dispatchEvent`, which elements inherit, asks for them by `_listeners` and `_handlers`.
 */
export class ElementEvents {
  /**
   * Registers a listener. As in Angular's DOM the third argument is compared by identity, and an object counts as
   * `capture: true`.
   */
  addEventListener(type: string, listener: unknown, capture: unknown = false): void {
    if (!listener) return;
    const element = this as unknown as TreeElement;
    const name = String(type);
    const rare = (element._rare ??= new Rare());
    const listening = (rare.listening ??= []);
    if (indexOfListener(listening, name, listener, capture) < 0)
      listening.push(name, listener, capture);
  }

  removeEventListener(type: string, listener: unknown, capture: unknown = false): void {
    const listening = (this as unknown as TreeElement)._rare?.listening;
    if (listening === null || listening === undefined) return;
    const at = indexOfListener(listening, String(type), listener, capture);
    if (at >= 0) listening.splice(at, 3);
  }

  /** The listeners by type. */
  get _listeners(): Record<string, Listener[]> | undefined {
    const listening = (this as unknown as TreeElement)._rare?.listening;
    if (listening === null || listening === undefined) return undefined;
    const byType = Object.create(null) as Record<string, Listener[]>;
    for (let i = 0; i < listening.length; i += 3) {
      const listener = listening[i + 1];
      const capture = listening[i + 2];
      const list = (byType[listening[i] as string] ??= []);
      list.push(
        typeof listener === 'function' ? { listener, capture, f: listener } : { listener, capture },
      );
    }
    return byType;
  }

  /** The functions that `onclick` and its like were set to, by type. */
  get _handlers(): Record<string, unknown> | undefined {
    return (this as unknown as TreeElement)._rare?.handlers ?? undefined;
  }

  _setEventHandler(type: string, handler: unknown): void {
    const element = this as unknown as TreeElement;
    const rare = (element._rare ??= new Rare());
    rare.handlers ??= Object.create(null) as Record<string, unknown>;
    rare.handlers[type] = handler;
  }

  _getEventHandler(type: string): unknown {
    const handlers = (this as unknown as TreeElement)._rare?.handlers;
    return handlers?.[type] || null;
  }
}

function indexOfListener(
  listening: unknown[],
  type: string,
  listener: unknown,
  capture: unknown,
): number {
  for (let i = 0; i < listening.length; i += 3) {
    if (listening[i + 1] === listener && listening[i] === type && listening[i + 2] === capture)
      return i;
  }
  return -1;
}
