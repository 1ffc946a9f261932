/** A value of an operation: a constant, or what an earlier operation returned. */
export type Argument = { readonly value: Constant } | { readonly slot: number };

export type Constant = string | number | boolean | null | undefined;

/** One step of a sequence: `receiver.path(...values)`, or `receiver.path`, or `receiver.path = value`. */
export interface Operation {
  /** The number of the slot for what this returns. */
  readonly id: number;
  readonly kind: 'call' | 'get' | 'set';
  /** The slot of the receiver. Slot 0 is the document. */
  readonly receiver: number;
  /** Members to follow, such as `classList.add`. */
  readonly path: string;
  readonly values: readonly Argument[];
}

/** The operation as code, to be pasted into a spec. */
export function toCode({ id, kind, receiver, path, values }: Operation): string {
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  const member = slotName(receiver) + steps.join('');
  const texts = values.map((each) =>
    'slot' in each ? slotName(each.slot) : (JSON.stringify(each.value) ?? 'undefined'),
  );
  if (kind === 'set') return `${member} = ${texts[0]};`;
  return `const ${slotName(id)} = ${member}${kind === 'call' ? `(${texts.join(', ')})` : ''};`;
}

function slotName(slot: number): string {
  return slot === 0 ? 'document' : `_${slot}`;
}

/** What an operation did in one DOM. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Slots of one DOM: what operations returned, by number. */
export type Slots = Map<number, unknown>;

/** Whether all that the operation names is there: while a sequence is shrunk, some of it may not be. */
export function isPossible({ receiver, values }: Operation, slots: Slots): boolean {
  return slots.has(receiver) && values.every((each) => !('slot' in each) || slots.has(each.slot));
}

/** Does the operation in one DOM, and keeps what it returns. */
export function perform({ id, kind, receiver, path, values }: Operation, slots: Slots): Outcome {
  const args = values.map((each) => ('slot' in each ? slots.get(each.slot) : each.value));
  try {
    const steps = path.split('.');
    const last = steps.pop()!;
    let object = slots.get(receiver) as Record<string, unknown>;
    for (const step of steps) object = object[step] as Record<string, unknown>;
    if (kind === 'set') {
      object[last] = args[0];
      return { result: undefined };
    }
    const result =
      kind === 'get'
        ? object[last]
        : (object as Record<string, (...args: unknown[]) => unknown>)[last]!(...args);
    if (typeof result === 'object' && result !== null) slots.set(id, result);
    return { result };
  } catch (error) {
    return { error };
  }
}
