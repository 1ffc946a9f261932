import { describe, expect, test } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { angularDom } from './fuzz/angular-dom.ts';
import { expectSame, outcomeOf, pairOf } from './pair.ts';

const HTML =
  '<div id=a><p id=b onclick="x()"><button id=c>d</button></p></div><input id=i type=checkbox><a id=l href=/m>n</a>';

type EventClass = new (type: string, init?: object) => Event;
const impl = angularDom.impl as unknown as Record<'Event' | 'CustomEvent', EventClass>;

/** Follows events along the path from the window to the button. */
function logOf(document: Document): { log: string[]; nodes: EventTarget[] } {
  const nodes = [document.defaultView!, document, document.documentElement, document.body];
  const ids = ['a', 'b', 'c', 'i'].map((id) => document.getElementById(id)!);
  return { log: [], nodes: [...nodes, ...ids, document.getElementById('c')!.firstChild!] };
}

describe('dispatching', () => {
  test('captures and bubbles along the tree', () => {
    expectSame(HTML, (document) => {
      const { log, nodes } = logOf(document);
      nodes.forEach((node, i) => {
        for (const capture of [true, false, undefined]) {
          const listener = (event: Event) =>
            log.push(
              `${i} ${capture} ${event.eventPhase} ${event.target === nodes[6]} ${event.currentTarget === node}`,
            );
          if (capture === undefined) node.addEventListener('x', listener);
          else node.addEventListener('x', listener, capture);
        }
      });
      const results = nodes.map((node) =>
        node.dispatchEvent(new impl.Event('x', { bubbles: true })),
      );
      return [...log, ...results];
    });
  });

  test('a handler runs before listeners, and false from it prevents the default', () => {
    expectSame(HTML, (document) => {
      const button = document.getElementById('c')!;
      const log: string[] = [];
      button.addEventListener('click', () => log.push('listener'));
      button.onclick = () => (log.push('handler'), false);
      document.getElementById('b')!.onclick = { handleEvent: () => log.push('object') } as never;
      const event = new impl.Event('click', { bubbles: true, cancelable: true });
      return [button.dispatchEvent(event), event.defaultPrevented, ...log];
    });
  });

  test.each(['stopPropagation', 'stopImmediatePropagation', 'preventDefault'] as const)(
    '%s',
    (method) => {
      expectSame(HTML, (document) => {
        const log: string[] = [];
        const b = document.getElementById('b')!;
        b.addEventListener('x', (event) => (log.push('first'), event[method]()));
        b.addEventListener('x', () => log.push('second'));
        document.addEventListener('x', () => log.push('document'));
        const event = new impl.Event('x', { bubbles: true, cancelable: true });
        return [document.getElementById('c')!.dispatchEvent(event), ...log];
      });
    },
  );

  test('an event that was not initialized, is dispatched already, or has a listener that throws', () => {
    expectSame(HTML, (document) => {
      const c = document.getElementById('c')!;
      const event = document.createEvent('CustomEvent');
      const first = outcomeOf(() => c.dispatchEvent(event));
      event.initEvent('x', true, true);
      c.addEventListener('x', (own) => c.dispatchEvent(own));
      c.addEventListener('y', { handleEvent: 5 } as never);
      const second = outcomeOf(() => c.dispatchEvent(event));
      return [first, second, outcomeOf(() => c.dispatchEvent(new impl.Event('y')))];
    });
  });

  test.each([
    ...['Event', 'Events', 'HTMLEvents', 'MouseEvent', 'UIEvents', 'CustomEvent', 'KeyboardEvent'],
  ])('createEvent(%s)', (name) =>
    expectSame(HTML, (document) => document.createEvent(name).constructor.name),
  );

  test('click() changes a checkbox and follows a link', () => {
    expectSame(HTML, (document) => {
      const log: string[] = [];
      document.addEventListener('click', (event) => log.push((event.target as Element).id));
      document.getElementById('i')!.click();
      document.getElementById('i')!.click();
      document.getElementById('i')!.click();
      document.getElementById('l')!.click();
      return [...log, String(document.defaultView!.location)];
    });
  });

  test('the handler of a parsed attribute is a function', () => {
    expectSame(HTML, (document) => [
      document.getElementById('b')!.onclick,
      document.getElementById('c')!.onclick,
    ]);
  });
});

test('random listeners hear what they hear in Angular', () => {
  const { requests: rounds, seed } = fuzzOptions(200);
  console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${rounds}`);
  const random = new Random(seed);
  for (let round = 0; round < rounds; round++) {
    const steps = Array.from({ length: 30 }, () => [0, 1, 2, 3, 4].map(() => random.below(1000)));
    const { expected, actual } = pairOf(HTML);
    const [wanted, got] = [expected, actual].map((document) => play(document, steps));
    expect(got, `round ${round}`).toEqual(wanted);
  }
});

function play(document: Document, steps: number[][]): string[] {
  const { log, nodes } = logOf(document);
  const passive = { passive: true } as AddEventListenerOptions & EventListenerOptions;
  const options = [undefined, false, true, passive] as const;
  const listeners = [0, 1, 2, 3, 4].map((number) => (event: Event) => {
    log.push(`${number} ${event.type} ${event.eventPhase} ${nodes.indexOf(event.currentTarget!)}`);
    if (number === 3) event.currentTarget!.removeEventListener('x', listeners[1]!);
    if (number === 4) event.stopPropagation();
  });
  for (const [kind = 0, node = 0, listener = 0, option = 0, type = 0] of steps) {
    const target = nodes[node % nodes.length]!;
    const name = ['x', 'y', 'click'][type % 3]!;
    const args = [name, listeners[listener % 5]!, options[option % 4]] as const;
    if (kind % 5 < 3) target.addEventListener(...args);
    else if (kind % 5 === 3) target.removeEventListener(...args);
    else
      log.push(
        String(target.dispatchEvent(new impl.CustomEvent(name, { bubbles: option % 2 === 0 }))),
      );
  }
  return log;
}
