import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchViewRegistry } from '../src/fast/view-registry.ts';

const { set } = Map.prototype;
const { set: setWeak } = WeakMap.prototype;

/** A view as Angular makes it: a list with its own number in it, and what all views of its template share. */
function viewOf(id: number): unknown[] {
  return Object.assign(Array.from({ length: 30 }).fill(null), { 1: { blueprint: [] }, 19: id });
}

/** Numbers from 0 to 1, the same in each run. */
function seeded(): () => number {
  let state = 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const createApplication = (): object => ({ whenStable: () => null, attachView: () => null });

describe("Angular's registry of views", () => {
  afterEach(() => void vi.useRealTimers());

  it('goes on as a Map over another object', () => {
    const [before, view, after] = [viewOf(1), viewOf(2), viewOf(3)];
    const views = new Map<number, unknown>([[1, before]]);
    const end = watchViewRegistry()!;
    views.set(2, view);
    expect(end()).toBe(true);
    expect(Object.hasOwn(views, 'set')).toBe(true);
    expect(views.set(3, after)).toBe(views);
    expect([1, 2, 3, 4].map((key) => views.get(key))).toEqual([before, view, after, undefined]);
    expect([views.has(3), views.delete(3), views.delete(3), views.has(3)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(views.size).toBe(2);
    expect([...views]).toEqual([
      [1, before],
      [2, view],
    ]);
    expect([[...views.keys()], [...views.values()]]).toEqual([
      [1, 2],
      [before, view],
    ]);
    views.clear();
    expect(views.size).toBe(0);
  });

  it('has any views of any renders, as a Map has', () => {
    const views = new Map<number, unknown>([[1, viewOf(1)]]);
    const end = watchViewRegistry()!;
    views.set(1, views.get(1));
    end();
    const expected = new Map<number, unknown>(views);
    const random = seeded();
    let next = 2 ** 32 - 5000;
    for (let step = 0; step < 20_000; step++) {
      const keys = [...expected.keys()];
      const key = random() < 0.55 ? next++ : keys[Math.floor(random() * keys.length)];
      if (key === undefined) continue;
      if (expected.has(key)) expect(views.delete(key)).toBe(expected.delete(key));
      else {
        expected.set(key, viewOf(key));
        views.set(key, expected.get(key));
      }
      expect(views.get(key)).toBe(expected.get(key));
      if (expected.size > 50)
        for (const each of keys) expect(views.delete(each)).toBe(expected.delete(each));
      expect(views.size).toBe(expected.size);
    }
    expect(new Map([...views].sort(([a], [b]) => a - b))).toEqual(expected);
  });

  it('is no Map of an application that has views and other values', () => {
    const kept = new Map<unknown, unknown>([['a', 1]]);
    const end = watchViewRegistry()!;
    kept.set(1, viewOf(1));
    end();
    expect(Object.hasOwn(kept, 'set')).toBe(false);
  });

  it('leaves other keys of a WeakMap as they are', () => {
    const kept = new WeakMap<object, number>();
    const end = watchViewRegistry()!;
    kept.set(createApplication(), 1);
    end();
    const key = Object.freeze({});
    expect(kept.set(key, 2).get(key)).toBe(2);
    expect(kept.get({ ...key })).toBeUndefined();
    expect(kept.get(undefined as never)).toBeUndefined();
    expect(() => kept.set(1 as never, 1)).toThrow(TypeError);
    expect([kept.delete(key), kept.has(key)]).toEqual([true, false]);
  });

  it('is left alone, with all other Maps, where a render has no views', () => {
    const end = watchViewRegistry()!;
    const others = [new Map<unknown, unknown>().set('a', viewOf(1)), new Map().set(1, [1])];
    expect(end()).toBe(false);
    for (const map of others) expect(Object.hasOwn(map, 'set')).toBe(false);
    expect(Map.prototype.set).toBe(set);
    expect(WeakMap.prototype.set).toBe(setWeak);
  });

  it('keeps what is known of applications', () => {
    const ofApplications = new WeakMap<object, string>();
    const [before, during, after] = [1, 2, 3].map(createApplication) as [object, object, object];
    ofApplications.set(before, 'before');
    const end = watchViewRegistry()!;
    ofApplications.set(during, 'during');
    end();
    ofApplications.set(after, 'after');
    const all = [before, during, after];
    expect(all.map((app) => ofApplications.get(app))).toEqual(['before', 'during', 'after']);
    expect(all.map((app) => ofApplications.delete(app))).toEqual([true, true, true]);
    expect(all.map((app) => ofApplications.has(app))).toEqual([false, false, false]);
    expect(ofApplications.get(createApplication())).toBeUndefined();
  });

  it('is watched in one render at a time, for two seconds at most', () => {
    vi.useFakeTimers();
    const end = watchViewRegistry()!;
    expect(watchViewRegistry()).toBeUndefined();
    vi.advanceTimersByTime(2000);
    expect(Map.prototype.set).toBe(set);
    expect(end()).toBe(false);
    const next = watchViewRegistry()!;
    expect(end()).toBe(false);
    expect(Map.prototype.set).not.toBe(set);
    next();
    expect(Map.prototype.set).toBe(set);
  });
});
