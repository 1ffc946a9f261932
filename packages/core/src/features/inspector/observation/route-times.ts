import type { RouteState } from '../protocol.ts';

const MOST_ROUTES = 200;

interface RouteTimes {
  renders: number;
  failed: number;
  totalMs: number;
  maxMs: number;
}

/**
 * The routes whose renders take the most time. Where there are too many, the route with the least time goes: paths that
 * are asked for once cannot drive out the routes that matter.
 */
export class RouteTimesList {
  readonly #routes = new Map<string, RouteTimes>();

  add(route: string, durationMs: number, hasFailed: boolean): void {
    const times = this.#routes.get(route) ?? this.#begin(route);
    times.renders++;
    if (hasFailed) times.failed++;
    times.totalMs += durationMs;
    times.maxMs = Math.max(times.maxMs, durationMs);
  }

  /** Those with the most time, the first of them first. */
  read(most: number): RouteState[] {
    return [...this.#routes]
      .sort(([, one], [, other]) => other.totalMs - one.totalMs)
      .slice(0, most)
      .map(([route, { renders, failed, totalMs, maxMs }]) => {
        return { route, renders, failed, meanMs: totalMs / renders, maxMs };
      });
  }

  #begin(route: string): RouteTimes {
    if (this.#routes.size >= MOST_ROUTES) this.#dropLeast();
    const times = { renders: 0, failed: 0, totalMs: 0, maxMs: 0 };
    this.#routes.set(route, times);
    return times;
  }

  #dropLeast(): void {
    let least: string | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const [route, { totalMs }] of this.#routes) {
      if (totalMs >= leastMs) continue;
      least = route;
      leastMs = totalMs;
    }
    if (least !== undefined) this.#routes.delete(least);
  }
}
