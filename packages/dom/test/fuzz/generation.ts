import type { Random } from '../../../conformance/src/fuzz/random.ts';
import { randomMarkup } from './markup.ts';
import type { Argument, Constant, Operation, Slots } from './operation.ts';
import { randomSelector } from './selector.ts';
import * as words from './words.ts';

/** What an operation takes, by letter. */
const ARGUMENTS: Readonly<Record<string, (random: Random, slots: Slots) => Argument>> = {
  n: (random, slots) => randomNode(random, slots),
  // A node without a parent.
  f: (random, slots) => randomNode(random, slots, true),
  // A node to stand before, or none.
  r: (random, slots) => (random.chance(0.3) ? { value: null } : randomNode(random, slots)),
  A: (random, slots) => randomSlot(random, slots, (each) => (each as Node).nodeType === 2),
  t: constant((random) =>
    random.pick(random.chance(0.9) ? words.TAGS : [...words.ODD_NAMES, ...words.FOREIGN_TAGS]),
  ),
  q: constant((random) =>
    random.pick(random.chance(0.6) ? words.FOREIGN_TAGS : [...words.ODD_NAMES, ...words.TAGS]),
  ),
  a: constant((random) => random.pick(random.chance(0.9) ? words.ATTRIBUTES : words.ODD_NAMES)),
  v: constant((random) =>
    random.chance(0.92) ? random.pick(words.VALUES) : random.pick([null, undefined, 1, true]),
  ),
  N: constant((random) => random.pick(words.NAMESPACES)),
  m: constant((random) => randomMarkup(random)),
  s: constant((random) => randomSelector(random)),
  c: constant((random) =>
    random.pick(['a', 'b', 'c', 'A', 'x-y', '', 'a b', ' ', '\t', null, 'é']),
  ),
  b: constant((random) => random.chance(0.5)),
  B: constant((random) => random.pick([true, false, undefined])),
  d: constant((random) => random.pick([0, 0, 1, 2, 5, -1, 1.5])),
  w: constant((random) =>
    random.pick(['beforebegin', 'afterbegin', 'beforeend', 'afterend', 'AfterEnd', 'x', null]),
  ),
  y: constant((random) => random.pick(words.STYLE_NAMES)),
  z: constant((random) => random.pick(words.STYLE_VALUES)),
  i: constant((random) => random.pick(['a', 'b', 'g', 'nope', '', 'c', 'constructor', null])),
};

function constant(choose: (random: Random) => Constant) {
  return (random: Random): Argument => ({ value: choose(random) });
}

/**
 * Operations by kind of receiver: the path, `(letters)` of the arguments for a call, `=letter` for setting.
 * A leading number is how often it is chosen.
 */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  document: [
    ...['8 createElement(t)', '3 createElementNS(Nq)', '4 createTextNode(v)', '2 createComment(v)'],
    ...['2 createDocumentFragment()', 'createProcessingInstruction(tv)', 'createAttribute(a)'],
    ...['createAttributeNS(Na)', '2 importNode(nb)', '2 adoptNode(n)', '2 getElementById(i)'],
    ...['3 querySelector(s)', '3 querySelectorAll(s)', '2 getElementsByTagName(t)', 'title'],
    ...['getElementsByTagNameNS(Nt)', '2 getElementsByClassName(c)', 'getElementsByName(c)'],
    ...['title=v', 'body', 'head', 'documentElement', 'doctype', 'childNodes', 'firstChild'],
    ...['lastChild', 'compatMode', 'readyState', 'contentType', 'characterSet', 'URL'],
    ...['documentURI', 'dir', 'dir=v', 'appendChild(n)', 'insertBefore(nr)', 'replaceChild(nn)'],
    ...['removeChild(n)', 'normalize()', 'textContent', 'innerHTML', 'outerHTML', 'serialize()'],
    ...['hasChildNodes()', 'contains(n)', 'implementation.createHTMLDocument(v)'],
    ...['implementation.createDocumentType(avv)', 'implementation.hasFeature(vv)'],
    ...['isEqualNode(n)', 'lookupNamespaceURI(v)', 'nodeValue', 'activeElement', 'cloneNode(b)'],
    ...['scrollingElement', 'isConnected', 'write(m)', 'querySelector'],
  ],
  fragment: [
    ...['4 appendChild(n)', '2 insertBefore(nr)', 'replaceChild(nn)', 'removeChild(n)'],
    ...['textContent', 'textContent=v', 'cloneNode(b)', 'querySelector(s)'],
    ...['2 querySelectorAll(s)', 'childNodes', 'firstChild', 'lastChild', 'innerHTML', 'outerHTML'],
    ...['normalize()', 'isEqualNode(n)', 'innerText', 'hasChildNodes()', 'contains(n)'],
    ...['compareDocumentPosition(n)', 'ownerDocument', 'isConnected'],
  ],
  text: [
    ...['data', '2 data=v', 'nodeValue=v', 'textContent=v', 'splitText(d)', 'wholeText', 'length'],
    ...['substringData(dd)', 'appendData(v)', 'insertData(dv)', 'deleteData(dd)'],
    ...['replaceData(ddv)', '2 remove()', 'before(v)', 'after(f)', 'replaceWith(v)'],
    ...['cloneNode(b)', 'parentNode', 'nextSibling', 'previousSibling', 'nextElementSibling'],
    ...['previousElementSibling', 'isConnected', 'appendChild(n)', 'insertBefore(nr)'],
    ...['removeChild(n)', 'hasChildNodes()', 'childNodes', 'innerText', 'isEqualNode(n)'],
    ...['compareDocumentPosition(n)', 'parentElement', 'lookupPrefix(v)', 'innerText=v'],
  ],
  attribute: [
    ...['name', 'value', 'value=v', 'ownerElement', 'localName', 'prefix', 'namespaceURI'],
    ...['specified', 'cloneNode(b)', 'nodeValue=v', 'textContent=v', 'nodeName'],
  ],
  list: ['4 length', '3 item(d)', '0', '1', 'namedItem(i)'],
  // Not `item`: what it answers in Angular's DOM depends on whether `length` was read before.
  style: [
    'cssText',
    'cssText=v',
    'getPropertyValue(y)',
    'setProperty(yz)',
    'color',
    'removeProperty(y)',
  ],
  other: ['2 length', 'item(d)', 'add(c)', 'getNamedItem(a)', 'cssText', 'value'],
  element: [
    ...['8 appendChild(n)', '4 insertBefore(nr)', '2 replaceChild(nn)', '3 removeChild(n)'],
    ...['3 remove()', '5 setAttribute(av)', '3 getAttribute(a)', '2 hasAttribute(a)'],
    ...['3 removeAttribute(a)', '3 setAttributeNS(Nav)', 'getAttributeNS(Na)'],
    ...['hasAttributeNS(Na)', '2 removeAttributeNS(Na)', '2 toggleAttribute(aB)'],
    ...['hasAttributes()', 'getAttributeNames()', 'getAttributeNode(a)', 'getAttributeNodeNS(Na)'],
    ...['setAttributeNode(A)', 'setAttributeNodeNS(A)', 'removeAttributeNode(A)', 'attributes'],
    ...['attributes.length', 'attributes.item(d)', 'attributes.getNamedItem(a)'],
    ...['attributes.removeNamedItem(a)', 'attributes.0', 'id', '2 id=i', 'className'],
    ...['3 className=v', '4 classList.add(cc)', '3 classList.remove(c)', '2 classList.toggle(cB)'],
    ...['classList.contains(c)', 'classList.replace(cc)', 'classList.length', 'classList.value'],
    ...['classList.value=v', 'classList=v', 'classList.item(d)', 'classList.0', 'classList'],
    ...['classList.toString()', '3 style.setProperty(yz)', '2 style.removeProperty(y)'],
    ...['style.getPropertyValue(y)', 'style=v', 'style.cssText', '2 style.cssText=v'],
    ...['style.color', '2 style.color=z', 'style.width=z', 'style.length', 'style.cssFloat=z'],
    ...['style.getPropertyPriority(y)', 'style.backgroundImage=z', 'style', '6 innerHTML=m'],
    ...['3 innerHTML', '2 outerHTML', '2 outerHTML=m', '4 insertAdjacentHTML(wm)'],
    ...['insertAdjacentElement(wn)', 'insertAdjacentText(wv)', '4 textContent=v', '2 textContent'],
    ...['innerText', 'innerText=v', '2 cloneNode(b)', '2 normalize()', 'isEqualNode(n)'],
    ...['isSameNode(n)', 'contains(n)', 'compareDocumentPosition(n)', 'before(f)', 'after(fv)'],
    ...['2 replaceWith(fv)', '2 matches(s)', '2 closest(s)', '2 querySelector(s)'],
    ...['3 querySelectorAll(s)', 'children', '2 getElementsByTagName(t)'],
    ...['2 getElementsByClassName(c)', 'getElementsByTagNameNS(Nt)', 'children.length'],
    ...['children.item(d)', 'children.namedItem(i)', 'childElementCount', '2 childNodes'],
    ...['childNodes.length', 'childNodes.0', 'childNodes.item(d)', 'hasChildNodes()'],
    ...['2 firstChild', 'lastChild', 'nextSibling', 'previousSibling', 'parentNode'],
    ...['parentElement', 'firstElementChild', 'lastElementChild', 'nextElementSibling'],
    ...['previousElementSibling', 'ownerDocument', 'isConnected', 'tagName', 'nodeName'],
    ...['localName', 'prefix', 'namespaceURI', 'lookupNamespaceURI(v)', 'lookupPrefix(N)'],
    ...['isDefaultNamespace(N)', 'nodeValue', 'nodeValue=v', 'title', 'title=v', 'lang=v', 'dir'],
    ...['dir=v', 'hidden', 'hidden=b', 'tabIndex', 'tabIndex=d', '2 value', '2 value=v', 'checked'],
    ...['checked=b', 'disabled', 'disabled=b', 'type', 'type=v', 'name=v', 'selected'],
    ...['selected=b', 'href', 'href=v', 'src=v', 'hash', 'pathname', 'search', 'rel', 'rel=v'],
    ...['htmlFor', 'htmlFor=v', 'text', 'text=v', 'options', 'selectedIndex', 'cells', 'content'],
    ...['onclick', 'readOnly=b', 'maxLength', 'maxLength=d', 'colSpan', 'colSpan=d'],
    ...['defaultValue', 'defaultValue=v', 'draggable', 'content.firstChild', 'content.childNodes'],
    ...['content.appendChild(n)', 'alt=v', 'width=d'],
  ],
};

interface Choice {
  readonly kind: Operation['kind'];
  readonly path: string;
  readonly letters: string;
}

const CHOICES = new Map(
  Object.entries(OPERATIONS).map(([name, lines]) => [name, lines.flatMap(choicesOf)] as const),
);

function choicesOf(line: string): Choice[] {
  const [, times = '1', path = '', call, set] =
    /^(?:(\d+) )?([\w.]+)(?:\((\w*)\)|=(\w))?$/.exec(line) ?? [];
  const kind = call !== undefined ? 'call' : set !== undefined ? 'set' : 'get';
  return Array.from({ length: Number(times) }, () => ({ kind, path, letters: call ?? set ?? '' }));
}

function receiverKind(value: unknown): string {
  switch ((value as Node).nodeType as number | undefined) {
    case 1:
      return 'element';
    case 2:
      return 'attribute';
    case 3:
    case 7:
    case 8:
      return 'text';
    case 9:
      return 'document';
    case 10:
      return 'text';
    case 11:
      return 'fragment';
    default:
      // Reading a length would refresh a list in one DOM and not in the other.
      if ('cssText' in (value as object)) return 'style';
      return 'length' in (value as object) ? 'list' : 'other';
  }
}

function randomSlot(random: Random, slots: Slots, fits: (value: unknown) => boolean): Argument {
  const fitting = [...slots].filter(([, value]) => fits(value)).map(([slot]) => slot);
  return fitting.length === 0 ? { value: null } : { slot: random.pick(fitting) };
}

function randomNode(random: Random, slots: Slots, isFree = false): Argument {
  // Attributes are no nodes of the tree; what Angular's DOM does with one in its place is of no use to anybody.
  const fits = ({ nodeType, parentNode }: Node): boolean =>
    typeof nodeType === 'number' && nodeType !== 2 && !(isFree && parentNode);
  return randomSlot(random, slots, (each) => fits(each as Node));
}

/** The next operation of a sequence, for what is in the slots. */
export function randomOperation(random: Random, id: number, slots: Slots): Operation {
  const all = [...slots.keys()];
  // What came last is of more interest than what came before.
  const last = all.slice(-4);
  const receiver = random.chance(0.15) ? 0 : random.pick(random.chance(0.5) ? last : all);
  const { kind, path, letters } = random.pick(CHOICES.get(receiverKind(slots.get(receiver)))!);
  const values = [...letters].map((letter) => ARGUMENTS[letter]!(random, slots));
  return { id, kind, receiver, path, values };
}
