import { MEMBERS } from './members.ts';

/** So often all classes are looked at: what an application replaces as it is loaded is found at once. */
const FIRST_LOOKS = 40;
/** Later all classes are looked at once in this time: it takes longer than what can be assigned. */
const EVERY_MS = 1000;

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
  /** Members of ours that nodes have in place of those of this prototype. */
  readonly ours: ReadonlySet<PropertyKey>;
}

/** Finds members that an application has replaced on Angular's classes: ours come first, and would hide them. */
export class ReplacedMembers {
  readonly #levels = new Map<object, Level>();
  readonly #assigned: { readonly level: Level; readonly name: string; readonly value: unknown }[] =
    [];
  /** What was replaced before this has watched it. */
  #before: string | undefined;
  /** As the last look at all classes has it. */
  #found: string | undefined;
  #looks = 0;
  #lookedAtMs = 0;

  /**
   * Watches a class that nodes of ours stand for.
   *
   * @param names - Angular's prototypes by the name of their class.
   */
  watch(angular: object, names: ReadonlyMap<object, string>): void {
    const ours = new Set<PropertyKey>();
    for (const prototype of chainOf(angular)) {
      const name = names.get(prototype) ?? nameOf(prototype);
      for (const { prototype: members } of MEMBERS[name] ?? []) {
        for (const key of Reflect.ownKeys(members)) if (key !== 'constructor') ours.add(key);
      }
      if (this.#levels.has(prototype)) continue;
      const level = { name, prototype, ours: new Set(ours) };
      this.#levels.set(prototype, level);
      this.#watchAssignable(level);
    }
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
    for (const { level, name, value } of this.#assigned) {
      if ((level.prototype as Record<string, unknown>)[name] !== value)
        return describe(level, name);
    }
    if (this.#isDue()) this.#found = this.#look();
    return this.#before ?? this.#found;
  }

  #isDue(): boolean {
    if (this.#looks++ < FIRST_LOOKS) return true;
    return performance.now() - this.#lookedAtMs >= EVERY_MS;
  }

  #look(): string | undefined {
    this.#lookedAtMs = performance.now();
    for (const level of this.#levels.values()) {
      const found = replacedIn(level);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** A member of this level that hides one of an outer level, although Angular has none here. */
function replacedIn(level: Level): string | undefined {
  const { name, prototype, ours } = level;
  const outer = Object.getPrototypeOf(prototype) as object | null;
  if (outer === null) return undefined;
  const hiding = Reflect.ownKeys(prototype).find(
    (key) => ours.has(key) && key in outer && !OVERRIDDEN[name]?.includes(key as string),
  );
  return hiding === undefined ? undefined : describe(level, hiding);
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
