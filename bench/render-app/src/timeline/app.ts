import {
  afterNextRender,
  Component,
  DOCUMENT,
  inject,
  makeStateKey,
  PendingTasks,
  REQUEST,
  signal,
  type Signal,
  TransferState,
} from '@angular/core';
import { slot } from '@ng-ssr/angular';
import { NOBODY, type Visitor } from './data';
import { VisitorIsland } from './visitor-island';
import { VisitorParts } from './visitor-parts';

const VISITOR = makeStateKey<Visitor>('visitor');

/** The page of the timeline. Its path says how the data of the visitor comes. */
@Component({
  selector: 'app-root',
  imports: [VisitorIsland, VisitorParts],
  template: `
    @if (isIsland) {
      <bench-visitor-island />
    } @else {
      <bench-visitor-parts [visitor]="visitor()" />
    }
    <h1>A cached page</h1>
    <button type="button" (click)="clicks.set(clicks() + 1)">clicked {{ clicks() }}</button>
    @for (at of paragraphs; track at) {
      <p>
        Paragraph {{ at }}. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy
        eirmod tempor invidunt ut labore et dolore magna aliquyam erat, sed diam voluptua.
      </p>
    }
  `,
})
export class App {
  protected readonly isIsland = inject(DOCUMENT).location.pathname === '/island';
  protected readonly visitor = visitorOf(inject(DOCUMENT).location.pathname);
  protected readonly clicks = signal(0);
  protected readonly paragraphs = Array.from({ length: 60 }, (_, at) => at);

  constructor() {
    afterNextRender(() => performance.mark('hydrated'));
  }
}

function visitorOf(path: string): Signal<Visitor> {
  if (path === '/slots') return slot<Visitor>('visitor', NOBODY);
  if (path === '/fetch') return fetchedVisitor();
  return path === '/private' ? awaitedVisitor() : signal(NOBODY);
}

/** The browser asks for it when the application has started. */
function fetchedVisitor(): Signal<Visitor> {
  const visitor = signal(NOBODY);
  afterNextRender(() => void read('/api/visitor').then((found) => visitor.set(found)));
  return visitor;
}

/** The server waits for it, and sends it with the page. */
function awaitedVisitor(): Signal<Visitor> {
  const state = inject(TransferState);
  const request = inject(REQUEST, { optional: true });
  const visitor = signal(state.get(VISITOR, NOBODY));
  if (request !== null) {
    inject(PendingTasks).run(async () => {
      visitor.set(await read(new URL('/api/visitor', request.url).href));
      state.set(VISITOR, visitor());
    });
  }
  return visitor;
}

async function read(url: string): Promise<Visitor> {
  return (await (await fetch(url)).json()) as Visitor;
}
