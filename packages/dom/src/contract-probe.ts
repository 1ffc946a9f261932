/** A page with what the probe touches. */
export const PROBED_PAGE: string =
  '<!doctype html><html dir="rtl"><head><title> a  b </title><base href="/base/"><script>s</script></head><body>' +
  '<a href="c?d#e" title="f" onclick="g()">h</a><img src="i.png" width="3"><ol reversed><li>j<li>k</ol>' +
  '<input value="l" type="checkbox" maxlength="4"><textarea>m</textarea><label for="n">o</label>' +
  '<select size="2"><option value="p">q<option> r  s </select><table><tr><td colspan="2">t</table>' +
  '<p class="u v" style="color: red; top: 1px" lang="en">w<b>x</b>y</p><svg><g/></svg><template><i>z</i></template>' +
  '<div></div></body></html>';

/** Where, which member, and what it is set to (`name=`) or called with. `$b` stands for the element `b`. */
type Step = readonly [selector: string, member: string, ...values: unknown[]];

/** Uses of members that our nodes inherit from Angular's classes, with all that their code reads of a node. */
const STEPS: readonly Step[] = [
  ...[
    'title',
    'dir',
    'URL',
    'compatMode',
    'readyState',
    'contentType',
    'characterSet',
    'scrollingElement',
  ].map((name): Step => ['', name]),
  ...[
    'href',
    'pathname',
    'search',
    'hash',
    'origin',
    'title',
    'tabIndex',
    'onclick',
    'hidden',
    'lang',
  ].map((name): Step => ['a', name]),
  ...(
    [
      'img.src',
      'img.width',
      'ol.start',
      'input.value',
      'input.checked',
      'input.type',
      'input.maxLength',
    ] as const
  ).map((path): Step => path.split('.') as [string, string]),
  ...(
    [
      'label.htmlFor',
      'select.options',
      'select.size',
      'option.text',
      'td.colSpan',
      'table.rows',
      'script.text',
    ] as const
  ).map((path): Step => path.split('.') as [string, string]),
  ['option + option', 'value'],
  ['a', 'href=', '//host.example:81/x'],
  ['a', 'host'],
  ['a', 'port=', '82'],
  ['input', 'disabled=', true],
  ['input', 'value=', null],
  ['input', 'click'],
  ['input', 'form'],
  ['textarea', 'value=', 'new'],
  ['title', 'text'],
  ['', 'title=', 'new title'],
  ['p', 'tabIndex=', 3],
  ['p', 'matches', '[lang=en] , .none'],
  ['b', 'closest', 'p.u'],
  ['body', 'querySelectorAll', 'p > b, svg g, :not(div):last-child'],
  ['body', 'getElementsByTagName', 'LI'],
  ['', 'getElementsByClassName', 'v u'],
  ['p', 'contains', '$b'],
  ['p', 'compareDocumentPosition', '$b'],
  ['a', 'compareDocumentPosition', '$b'],
  ['li', 'isEqualNode', '$li'],
  ['g', 'lookupPrefix', 'urn:x'],
  ['g', 'lookupNamespaceURI', ''],
  ['p', 'normalize'],
  ['p', 'children'],
  ['p', 'insertAdjacentHTML', 'beforeend', '<u>1</u>2'],
  ['p', 'insertAdjacentElement', 'afterbegin', '$b'],
  ['template', 'innerHTML=', '<s>3</s>'],
  ['div', 'outerHTML=', '<hr><br>'],
  ['p', 'style=', 'left: 2px'],
  ['p', 'getAttributeNames'],
  ['li', 'replaceWith', 'text', '$b'],
];

type Member = ((...values: unknown[]) => unknown) | undefined;
type Bag = Record<string, unknown>;

/**
 * Uses what our nodes inherit from Angular's classes, on a document of {@link PROBED_PAGE}.
 *
 * @returns What came of it: the same text for our document and for Angular's, while Angular's code reads of a node
 *   what our nodes have.
 */
export function probeContract(document: object): string {
  const page = document as Bag & { querySelector(selector: string): Bag };
  const log = STEPS.map(([selector, name, ...values]) =>
    outcomeOf(() => {
      const target: Bag = selector === '' ? page : page.querySelector(selector);
      const given = values.map((value) =>
        typeof value === 'string' && value.startsWith('$')
          ? page.querySelector(value.slice(1))
          : value,
      );
      if (name.endsWith('=')) return (target[name.slice(0, -1)] = given[0]);
      const member = target[name];
      return typeof member === 'function' && name !== 'onclick'
        ? (member as () => unknown).apply(target, given as [])
        : member;
    }),
  );
  log.push(...probeEvents(page), ...probeWalk(page), call(page, 'serialize') as string);
  return log.join('\n');
}

function call(target: object, name: string, ...values: unknown[]): unknown {
  return ((target as Bag)[name] as Member)?.apply(target, values);
}

function outcomeOf(act: () => unknown): string {
  try {
    return textOf(act());
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  const bag = value as Bag & ArrayLike<unknown>;
  if (typeof bag['nodeType'] === 'number') return String(bag['outerHTML'] ?? bag['nodeValue']);
  return typeof bag.length === 'number' ? `[${Array.from(bag, textOf).join()}]` : 'object';
}

/** Listeners along the path of an event, a handler, and an event that Angular's document makes. */
function probeEvents(page: Bag & { querySelector(selector: string): Bag }): string[] {
  const log: string[] = [];
  const button = page.querySelector('b');
  for (const target of [page, page['body'] as Bag, button]) {
    for (const capture of [true, false]) {
      const listener = (event: Bag): void =>
        void log.push(`${String(target['nodeName'])} ${String(event['eventPhase'])}`);
      call(target, 'addEventListener', 'probe', listener, capture);
    }
  }
  const event = call(page, 'createEvent', 'CustomEvent') as object;
  call(event, 'initEvent', 'probe', true, true);
  button['onclick'] = (): boolean => (log.push('handler'), false);
  log.push(
    outcomeOf(() => call(button, 'dispatchEvent', event)),
    outcomeOf(() => call(button, 'click')),
  );
  return log;
}

/** A walk by the classes of Angular's that walk, one of which follows removals. */
function probeWalk(page: Bag & { querySelector(selector: string): Bag }): string[] {
  const log: string[] = [];
  const walker = call(page, 'createTreeWalker', page['body'], 5) as object;
  for (let i = 0; i < 6; i++) log.push(outcomeOf(() => call(walker, 'nextNode')));
  const iterator = call(page, 'createNodeIterator', page['body'], 1) as Bag;
  for (let i = 0; i < 3; i++) call(iterator, 'nextNode');
  call(iterator['referenceNode'] as object, 'remove');
  log.push(
    textOf(iterator['referenceNode']),
    outcomeOf(() => call(iterator, 'nextNode')),
  );
  return log;
}
