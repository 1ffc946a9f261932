import type { Outcome, Slots } from './operation.ts';

/** Compares values of two DOMs. A node of one is the same as the node that was first seen in its place in the other. */
export class Comparison {
  readonly #seen = new WeakMap<object, object>();
  readonly #other = new WeakMap<object, object>();

  /** Says how the outcomes differ; undefined where they do not. */
  ofOutcomes(expected: Outcome, actual: Outcome): string | undefined {
    if ('error' in expected || 'error' in actual) {
      const wanted = 'error' in expected ? errorText(expected.error) : 'no error';
      const got = 'error' in actual ? errorText(actual.error) : 'no error';
      return wanted === got ? undefined : `wanted ${wanted}, got ${got}`;
    }
    return this.of(expected.result, actual.result);
  }

  of(expected: unknown, actual: unknown, depth = 0): string | undefined {
    if (!isObject(expected) || !isObject(actual)) {
      if (typeof expected === 'function' && typeof actual === 'function') return undefined;
      return Object.is(expected, actual)
        ? undefined
        : `wanted ${text(expected)}, got ${text(actual)}`;
    }
    const known = this.#seen.get(expected);
    if (known !== undefined || this.#other.has(actual)) {
      if (known !== actual) {
        return `wanted ${known === undefined ? 'a new' : 'another known'} ${text(expected)}, got ${text(actual)}`;
      }
      // A list may have changed since.
      if (typeof (expected as Node).nodeType === 'number') return undefined;
    } else {
      this.#seen.set(expected, actual);
      this.#other.set(actual, expected);
    }
    return depth > 2 ? undefined : this.#ofObjects(expected, actual, depth + 1);
  }

  #ofObjects(expected: object, actual: object, depth: number): string | undefined {
    const differs = (name: string): string | undefined => {
      const difference = this.of(
        (expected as Record<string, unknown>)[name],
        (actual as Record<string, unknown>)[name],
        depth,
      );
      return difference === undefined ? undefined : `${name}: ${difference}`;
    };
    if (typeof (expected as Node).nodeType === 'number') return firstOf(NODE_MEMBERS, differs);
    if ('length' in expected) {
      const difference = differs('length');
      if (difference !== undefined) return difference;
      const length = expected.length as number;
      for (let index = 0; index < length; index++) {
        const difference = differs(String(index));
        if (difference !== undefined) return difference;
      }
      return undefined;
    }
    return undefined;
  }

  /** Compares two trees node by node. */
  ofTrees(expected: Node, actual: Node): string | undefined {
    const difference = this.of(expected, actual) ?? this.#links(expected, actual);
    if (difference !== undefined) return `${expected.nodeName}: ${difference}`;
    let wanted = expected.firstChild;
    let got = actual.firstChild;
    for (; wanted !== null && got !== null; wanted = wanted.nextSibling, got = got.nextSibling) {
      const inner = this.ofTrees(wanted, got);
      if (inner !== undefined) return `${expected.nodeName} > ${inner}`;
    }
    return this.of(wanted, got);
  }

  #links(expected: Node, actual: Node): string | undefined {
    return firstOf(LINKS, (name) => {
      const difference = this.of(expected[name], actual[name]);
      return difference === undefined ? undefined : `${name}: ${difference}`;
    });
  }
}

const NODE_MEMBERS = [
  ...['nodeType', 'nodeName', 'nodeValue', 'localName', 'namespaceURI', 'prefix', 'tagName'],
  ...['name', 'value', 'data', 'publicId', 'systemId', 'target'],
] as const;

const LINKS = [
  ...(['ownerDocument', 'parentNode', 'previousSibling', 'nextSibling'] as const),
  ...(['firstChild', 'lastChild', 'nodeValue'] as const),
];

function firstOf<T extends string>(
  names: readonly T[],
  find: (name: T) => string | undefined,
): string | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** An error as both DOMs should throw it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `an error ${String(error)}`;
  const { name, message } = error;
  const code = (error as DOMException).code;
  // Messages of the JavaScript engine name the variables of the source.
  const isEngines = /^(Cannot|Class|Assertion failed)|is not|is undefined/.test(message);
  return `${name} ${code ?? ''} ${isEngines && name !== 'DOMException' ? '' : message}`.trim();
}

function text(value: unknown): string {
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const { nodeName, nodeType } = value as Node;
  return typeof nodeType === 'number' ? `node ${nodeName}` : value.constructor.name;
}

/** The nodes of both DOMs without a parent, in pairs. */
export function rootsOf(expected: Slots, actual: Slots): readonly (readonly [Node, Node])[] {
  const roots: [Node, Node][] = [];
  for (const [slot, value] of expected) {
    const other = actual.get(slot);
    const { nodeType, parentNode } = value as Node;
    if (typeof nodeType !== 'number' || nodeType === 2 || parentNode !== null) continue;
    if (isObject(other)) roots.push([value as Node, other as Node]);
  }
  return roots;
}
