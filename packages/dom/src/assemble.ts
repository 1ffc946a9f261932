import { MEMBERS } from './members.ts';

/** Angular's prototypes by the name of their class. */
export type PrototypeNames = ReadonlyMap<object, string>;

/** Fields that every instance has of its own; Angular's prototypes have accessors of these names without a setter. */
const FIELDS = ['previousSibling', 'nextSibling', 'firstChild', 'lastChild', 'localName', 'prefix'];

function ancestors(prototype: object): object[] {
  const chain: object[] = [];
  for (
    let at: object | null = prototype;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    chain.unshift(at);
  }
  return chain;
}

function describe(target: object, name: PropertyKey): PropertyDescriptor | undefined {
  for (
    let at: object | null = target;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An accessor of ours with one half takes the other from Angular's. */
function completed(
  descriptor: PropertyDescriptor,
  angular: object,
  name: PropertyKey,
): PropertyDescriptor {
  const { get, set } = descriptor;
  if ((get === undefined) === (set === undefined)) return descriptor;
  const theirs = describe(angular, name);
  const whole: PropertyDescriptor = { configurable: true, enumerable: false };
  const getter = get ?? theirs?.get;
  const setter = set ?? theirs?.set;
  if (getter !== undefined) whole.get = getter;
  if (setter !== undefined) whole.set = setter;
  return whole;
}

/**
 * Makes a class of ours stand for one of Angular's: its prototype gets all members of ours that apply, directly, and
 * has Angular's prototype as its own. So `instanceof` holds, and what an application adds to Angular's classes works.
 */
export function assemble(
  nodeClass: { prototype: object },
  angular: object,
  names: PrototypeNames,
  nodeType?: number,
): void {
  const own = nodeClass.prototype;
  for (const level of ancestors(angular)) {
    // What Angular overrides further down stays Angular's, unless ours says otherwise at that level.
    for (const name of Reflect.ownKeys(level)) {
      if (name !== 'constructor' && Object.hasOwn(own, name) && name !== 'copyInto')
        Reflect.deleteProperty(own, name);
    }
    for (const members of MEMBERS[names.get(level) ?? ''] ?? []) {
      for (const name of Reflect.ownKeys(members.prototype)) {
        if (name === 'constructor') continue;
        const descriptor = Object.getOwnPropertyDescriptor(
          members.prototype,
          name,
        ) as PropertyDescriptor;
        Object.defineProperty(own, name, completed(descriptor, angular, name));
      }
    }
  }
  Reflect.deleteProperty(own, 'constructor');
  Object.setPrototypeOf(own, angular);
  for (const name of FIELDS) {
    if (Object.hasOwn(own, name)) continue;
    const theirs = describe(angular, name);
    if (theirs !== undefined && theirs.get !== undefined) {
      Object.defineProperty(own, name, { configurable: true, writable: true, value: null });
    }
  }
  if (nodeType !== undefined)
    Object.defineProperty(own, 'nodeType', { configurable: true, writable: true, value: nodeType });
}
