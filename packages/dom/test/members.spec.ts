import { describe, expect, test } from 'vitest';
// What the package keeps about Angular's classes is not exported: it is data for this comparison.
import { ANGULAR_CONTRACT, ANGULAR_KEEPS } from '../src/angular-contract.ts';
import { UNSUPPORTED } from '../src/unsupported-members.ts';
import { angularDom } from './fuzz/angular-dom.ts';
import { KNOWN_MEMBERS } from './known-members.ts';
import { pairOf } from './pair.ts';
import { TAGS } from './html-tags.ts';

type Prototype = Record<string, unknown>;

const classes = angularDom.impl as Readonly<Record<string, { prototype: Prototype }>>;
const parentOf = (prototype: object) => Object.getPrototypeOf(prototype) as Prototype | null;
const nodePrototype = classes['Node']!.prototype;

/** Angular's prototypes of nodes, also those of classes that it does not publish. */
const prototypes = new Map<Prototype, string>([
  [parentOf(nodePrototype)!, 'EventTarget'],
  [nodePrototype, 'Node'],
  [parentOf(classes['Element']!.prototype)!, 'ContainerNode'],
  [parentOf(classes['CharacterData']!.prototype)!, 'NodeClass'],
]);
for (const [name, { prototype }] of Object.entries(classes)) {
  if (
    prototype instanceof Object &&
    (nodePrototype.isPrototypeOf(prototype) || name === 'Window')
  ) {
    prototypes.set(prototype, name);
  }
}

const published = new Set(Object.keys(classes));

/** All prototypes of Angular's DOM that pages meet. */
function allPrototypes(): Map<object, string> {
  const { expected: document } = pairOf('<p id=x>');
  const all = new Map<object, string>(prototypes);
  const hidden = {
    Attr: document.querySelector('p')!.getAttributeNode('id')!,
    AttributesArray: document.querySelector('p')!.attributes,
    Location: document.location,
    TreeWalker: document.createTreeWalker(document),
    NodeIterator: document.createNodeIterator(document),
  };
  for (const [name, object] of Object.entries(hidden)) all.set(parentOf(object)!, name);
  for (const [name, { prototype }] of Object.entries(classes)) {
    if (typeof classes[name] === 'function' && prototype && !all.has(prototype))
      all.set(prototype, name);
  }
  return all;
}

/** One node of ours for each class. */
function nodesOfOurs(): object[] {
  const { actual: document } = pairOf('<!doctype html><p>x</p>');
  return [
    document,
    document.doctype!,
    document.createTextNode('x'),
    document.createComment('x'),
    document.createProcessingInstruction('x', 'y'),
    document.createDocumentFragment(),
    document.createElementNS('urn:x', 'x'),
    document.createElementNS('http://www.w3.org/2000/svg', 'svg'),
    document.createElementNS('http://www.w3.org/2000/svg', 'g'),
    ...TAGS.map((tag) => document.createElement(tag)),
  ];
}

function holderOf(node: object, name: string): object | null {
  let at: object | null = node;
  while (at !== null && !Object.hasOwn(at, name)) at = parentOf(at);
  return at;
}

/** The code of a member without its comments. */
function codeOf(prototype: Prototype, name: string): string {
  const { get, set, value } = Object.getOwnPropertyDescriptor(prototype, name)!;
  return [get, set, value]
    .filter((part) => typeof part === 'function')
    .map((part) => Function.prototype.toString.call(part))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

describe("members of Angular's classes", () => {
  test.each([...allPrototypes()].map(([prototype, name]) => [name, prototype] as const))(
    'of %s are all known',
    (name, prototype) => {
      const members = Object.getOwnPropertyNames(prototype).filter(
        (member) => member !== 'constructor' && !(name === 'Window' && published.has(member)),
      );
      expect(members.sort(), name).toEqual(
        KNOWN_MEMBERS[name] === undefined ? [] : [...KNOWN_MEMBERS[name]].sort(),
      );
    },
  );

  test('have a node of ours for each class', () => {
    const covered = new Set<string>();
    for (const node of nodesOfOurs()) {
      for (let at: object | null = node; at !== null; at = parentOf(at)) {
        const name = prototypes.get(at as Prototype);
        if (name !== undefined) covered.add(name);
      }
    }
    const missing = [...prototypes.values()].filter((name) => !covered.has(name));
    expect(missing).toEqual(
      ['Window', 'HTMLUnknownElement'].filter((name) => missing.includes(name)),
    );
  });

  test('read nothing of a node that it does not have, where they are inherited', () => {
    const events = [
      '_initialized',
      '_dispatching',
      '_propagationStopped',
      '_immediatePropagationStopped',
    ];
    // Of walkers, parsers and classes, not of nodes.
    const others = ['_preremove', '_asDocumentFragment', '_Attr'];
    const allowed = new Set([
      ...events,
      ...others,
      ...ANGULAR_KEEPS,
      ...Object.values(ANGULAR_CONTRACT).flat(),
    ]);
    const unexpected = new Set<string>();
    const document = pairOf('<p>').actual;
    for (const node of nodesOfOurs()) {
      for (let at = parentOf(parentOf(node)!); at !== null; at = parentOf(at)) {
        const owner = prototypes.get(at);
        if (owner === undefined) continue;
        for (const member of KNOWN_MEMBERS[owner] ?? []) {
          if (holderOf(node, member) !== at) continue;
          for (const [, name = ''] of codeOf(at, member).matchAll(
            /\.(_\w+|rooted|byId|modclock)\b/g,
          )) {
            const has = [node, document, document.body].some((each) => holderOf(each, name));
            if (!has && !allowed.has(name)) unexpected.add(`${owner}.${member} reads ${name}`);
          }
        }
      }
    }
    expect([...unexpected]).toEqual([]);
  });
});

test('nodes have the fields that inherited members read', () => {
  for (const node of nodesOfOurs()) {
    for (let at = parentOf(node); at !== null; at = parentOf(at)) {
      for (const name of ANGULAR_CONTRACT[prototypes.get(at) ?? ''] ?? []) {
        const holder = holderOf(node, name);
        const ours = holder !== null && !prototypes.has(holder as Prototype);
        expect(ours, `${prototypes.get(at)}.${name} of ${(node as Node).nodeName}`).toBe(true);
      }
    }
  }
});

describe('members that are unsupported', () => {
  test.each(
    Object.entries(UNSUPPORTED).flatMap(([owner, names]) =>
      names.map((name) => [owner, name] as const),
    ),
  )('%s.%s throws an error that names it, or is ours', (owner, name) => {
    const prototype = [...prototypes].find(([, known]) => known === owner)![0];
    expect(KNOWN_MEMBERS[owner]).toContain(name);
    for (const node of nodesOfOurs().filter((each) => prototype.isPrototypeOf(each))) {
      const holder = holderOf(node, name);
      if (prototypes.get(holder as Prototype) !== undefined) {
        // A deeper class of Angular's has a member of this name that may be inherited.
        expect(prototypes.get(holder as Prototype)).not.toBe(owner);
        continue;
      }
      const value = (node as Prototype)[name] as (() => unknown) & { name: string };
      if (!String(value).includes('lack')) continue;
      const document = ((node as Node).ownerDocument ?? node) as unknown as {
        unsupported?: string;
      };
      expect(() => value.call(node)).toThrow(`${owner}.prototype.${name}`);
      expect(document.unsupported).toBeDefined();
    }
  });

  test('the first one is noted', () => {
    const { actual } = pairOf('<p>');
    const document = actual as unknown as { unsupported?: string; addId(): void; delId(): void };
    expect(document.unsupported).toBeUndefined();
    expect(() => document.addId()).toThrow(
      expect.objectContaining({ name: 'DomUnsupportedError' }),
    );
    expect(() => document.delId()).toThrow();
    expect(document.unsupported).toBe('Document.prototype.addId');
  });
});

describe("Angular's classes", () => {
  test('are classes of our nodes, with what an application adds to them', () => {
    const prototype = classes['HTMLElement']!.prototype as Prototype & {
      addedBySpec?: () => string;
    };
    prototype.addedBySpec = () => 'added';
    try {
      const element = pairOf('<p>').actual.querySelector('p') as unknown as typeof prototype;
      expect(element.addedBySpec?.()).toBe('added');
      expect(element).toBeInstanceOf(classes['HTMLElement'] as unknown as typeof HTMLElement);
    } finally {
      delete prototype.addedBySpec;
    }
  });

  test('name the constructor of each node', () => {
    const read = (document: Document) =>
      [
        ...TAGS.map((tag) => document.createElement(tag)),
        document,
        document.createTextNode(''),
      ].map((node) => node.constructor.name);
    const { expected, actual } = pairOf('<p>');
    expect(read(actual)).toEqual(read(expected));
  });

  test('leave an application the names that Angular binds on a custom element', () => {
    const html = '<app-chart a="b"><i>c</i></app-chart>';
    const { actual } = pairOf(html);
    const chart = actual.querySelector('app-chart') as unknown as Element & Record<string, unknown>;
    const page = actual as unknown as Record<string, unknown>;
    for (const name of ['attrs', 'rare', 'childList', 'version', 'ids', 'listeners', 'owner']) {
      chart[name] = name;
      page[name] = name;
    }
    chart.setAttribute('d', 'e');
    chart.classList.add('f');
    expect(chart.outerHTML).toBe('<app-chart a="b" d="e" class="f"><i>c</i></app-chart>');
    expect(actual.querySelectorAll('app-chart > i')).toHaveLength(1);
    expect(chart['attrs']).toBe('attrs');
  });
});
