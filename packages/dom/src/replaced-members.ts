import { MEMBERS } from './members.ts';

/** Members that Angular itself has at two levels, by the class of the inner one. */
const OVERRIDDEN: Readonly<Record<string, readonly string[]>> = {
  ContainerNode: ['hasChildNodes', 'removeChildren', 'firstChild', 'lastChild'],
  Element: ['textContent', 'innerText', 'outerHTML'],
  HTMLElement: ['innerHTML'],
  HTMLTemplateElement: ['cloneNode', 'serialize'],
  Text: ['textContent'],
  Comment: ['textContent'],
  ProcessingInstruction: ['textContent'],
  DocumentFragment: ['textContent', 'innerText', 'outerHTML'],
  Document: ['insertBefore', 'removeChild', 'replaceChild', 'cloneNode'],
};

/**
 * The members of Angular's classes that can be assigned, with what the code of Angular's own contains: an application
 * may have replaced them before this is loaded. All others are read-only, and can only be hidden by a member of an
 * inner class.
 */
const ASSIGNABLE: Readonly<Record<string, string | undefined>> = {
  createElement: 'isHTML',
  createElementNS: '_createElementNS',
  importNode: 'adoptNode',
  addEventListener: undefined,
  removeEventListener: undefined,
  dispatchEvent: undefined,
};

/** A prototype of Angular's that our nodes inherit from. */
interface Level {
  readonly name: string;
  readonly prototype: object;
  /** Members of ours that would hide those of this prototype, which Angular has further out only. */
  readonly hideable: Set<PropertyKey>;
  /** The own keys of this prototype, as they were when no such member was among them; undefined if there are many. */
  keys: readonly PropertyKey[] | undefined;
}

/** Reading more keys than this costs more than asking for each member. */
const FEW_KEYS = 25;

/** Finds members that an application has replaced on Angular's classes: ours come first, and would hide them. */
export class ReplacedMembers {
  readonly #levels = new Map<object, Level>();
  readonly #assigned: { readonly level: Level; readonly name: string; readonly value: unknown }[] =
    [];
  /** What was replaced before this has watched it. */
  #before: string | undefined;

  /**
   * Watches a class that nodes of ours stand for.
   *
   * @param names - Angular's prototypes by the name of their class.
   */
  watch(angular: object, names: ReadonlyMap<object, string>): void {
    const chain = chainOf(angular).map((prototype) => ({
      prototype,
      name: names.get(prototype) ?? nameOf(prototype),
    }));
    const ours = chain
      .flatMap(({ name }) => MEMBERS[name] ?? [])
      .flatMap(({ prototype }) => Reflect.ownKeys(prototype))
      .filter((key) => key !== 'constructor');
    for (const { prototype, name } of chain) {
      const level = this.#levelOf(prototype, name);
      const outer = Object.getPrototypeOf(prototype) as object;
      for (const key of ours) {
        if (key in outer && !OVERRIDDEN[name]?.includes(key as string)) level.hideable.add(key);
      }
      // A member that is there already may be hideable from now on.
      if (level.keys !== undefined) level.keys = [];
    }
  }

  #levelOf(prototype: object, name: string): Level {
    let level = this.#levels.get(prototype);
    if (level === undefined) {
      const isSmall = Reflect.ownKeys(prototype).length <= FEW_KEYS;
      level = { name, prototype, hideable: new Set(), keys: isSmall ? [] : undefined };
      this.#levels.set(prototype, level);
      this.#watchAssignable(level);
    }
    return level;
  }

  #watchAssignable(level: Level): void {
    for (const [name, contained] of Object.entries(ASSIGNABLE)) {
      if (!Object.hasOwn(level.prototype, name)) continue;
      const value = (level.prototype as Record<string, unknown>)[name];
      this.#assigned.push({ level, name, value });
      if (contained !== undefined && !String(value).includes(contained)) {
        this.#before ??= describe(level, name);
      }
    }
  }

  /** @returns the first such member: `HTMLElement.prototype.setAttribute`. */
  find(): string | undefined {
    if (this.#before !== undefined) return this.#before;
    for (const { level, name, value } of this.#assigned) {
      if ((level.prototype as Record<string, unknown>)[name] !== value)
        return describe(level, name);
    }
    for (const level of this.#levels.values()) {
      const found = replacedIn(level);
      if (found !== undefined) return describe(level, found);
    }
    return undefined;
  }
}

/**
 * A member of this level that hides one of an outer level, although Angular has none here. Each render asks this of
 * some 40 levels: the keys of a small one are compared with those that it had, a large one is asked for each member.
 */
function replacedIn(level: Level): PropertyKey | undefined {
  const { prototype, hideable, keys } = level;
  const now = keys && Reflect.ownKeys(prototype);
  if (now !== undefined && isSame(now, keys!)) return undefined;
  for (const key of hideable) if (Object.hasOwn(prototype, key)) return key;
  level.keys = now;
  return undefined;
}

function isSame(now: readonly PropertyKey[], keys: readonly PropertyKey[]): boolean {
  if (now.length !== keys.length) return false;
  for (let i = 0; i < now.length; i++) if (now[i] !== keys[i]) return false;
  return true;
}

function describe({ name }: Level, key: PropertyKey): string {
  return `${name}.prototype.${String(key)}`;
}

/** From the outermost. */
function chainOf(prototype: object): object[] {
  const chain: object[] = [];
  for (
    let at: object | null = prototype;
    at !== null && at !== Object.prototype && at !== Array.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    chain.unshift(at);
  }
  return chain;
}

/** Angular publishes all classes of nodes but that of containers. */
function nameOf(prototype: object): string {
  const { name } = prototype.constructor;
  if (name !== 'Object' && name !== '') return name;
  return Object.hasOwn(prototype, 'removeChildren') ? 'ContainerNode' : 'EventTarget';
}
