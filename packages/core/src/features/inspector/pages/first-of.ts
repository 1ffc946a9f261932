/** Between its slices other work has its turn. */
const SLICE = 2000;

/**
 * The first items of an order, without sorting all: a heap of those found so far. Large lists are read in slices,
 * between which the event loop does other work.
 *
 * @param compare - Negative when the first comes before the second.
 */
export async function firstOf<Item>(
  items: readonly Item[],
  count: number,
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  /** The root is the last of those found so far. */
  const heap: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    if (at % SLICE === SLICE - 1) await pause();
    const item = items[at]!;
    if (heap.length < count) rise(heap, item, compare);
    else if (count > 0 && compare(item, heap[0]!) < 0) sink(heap, item, compare);
  }
  const sorted: Item[] = [];
  while (heap.length > 0) {
    if (heap.length % SLICE === SLICE - 1) await pause();
    sorted.push(heap[0]!);
    const last = heap.pop()!;
    if (heap.length > 0) sink(heap, last, compare);
  }
  return sorted.reverse();
}

/** Resolves after the events that wait. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rise<Item>(heap: Item[], item: Item, compare: (one: Item, other: Item) => number): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(item, heap[parent]!) <= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = item;
}

/** Puts an item in place of the root. */
function sink<Item>(heap: Item[], item: Item, compare: (one: Item, other: Item) => number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(item, heap[child]!) >= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
}
