import { afterRenderEffect, Component, computed, inject, input, signal } from '@angular/core';
import { Router } from '@angular/router';
import {
  fetchHeaders,
  readAnswer,
  readDocumentAnswer,
  type ServerAnswer,
  toText,
} from './server-answer';

const UNKNOWN = 'How this page was served';

/** How this server has answered the shown page, and how long that took; its headers on demand. */
@Component({
  selector: 'app-answer',
  template: `
    <details class="answer" (toggle)="showHeaders($event)">
      <summary>
        <span data-answer [textContent]="text()"></span>
      </summary>
      <p>
        Measured on the server, from the first middleware to the first byte of the response.
        <code>Cache-Status</code> says where the page came from. The headers of the response:
      </p>
      <dl>
        @for (header of headers(); track header[0]) {
          <div>
            <dt>{{ header[0] }}</dt>
            <dd>{{ header[1] }}</dd>
          </div>
        }
      </dl>
    </details>
  `,
})
export class Answer {
  readonly path = input.required<string>();
  protected readonly answer = signal<ServerAnswer | undefined>(undefined);
  protected readonly text = computed(() => {
    const answer = this.answer();
    return answer === undefined ? UNKNOWN : toText(answer);
  });
  protected readonly headers = signal<readonly (readonly [string, string])[]>([]);

  constructor() {
    const router = inject(Router);
    afterRenderEffect(() => {
      const path = this.path();
      const isDocument = router.lastSuccessfulNavigation()?.previousNavigation === null;
      const answer = isDocument ? readDocumentAnswer() : undefined;
      if (answer === undefined) void this.#ask(path);
      else this.answer.set(answer);
    });
  }

  protected showHeaders({ target }: Event): void {
    if ((target as HTMLDetailsElement).open) void this.#showHeaders();
  }

  async #ask(path: string): Promise<void> {
    this.answer.set(readAnswer(await fetchHeaders(path)));
  }

  async #showHeaders(): Promise<void> {
    this.headers.set([...(await fetchHeaders(this.path()))]);
  }
}
