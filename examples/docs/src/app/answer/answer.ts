import { afterRenderEffect, Component, computed, inject, input, signal } from '@angular/core';
import { Router } from '@angular/router';
import {
  type AnswerTexts,
  fetchFields,
  readAnswer,
  readDocumentAnswer,
  type ServerAnswer,
  toTexts,
} from './server-answer';

const UNKNOWN: AnswerTexts = { status: '', time: 'This page’s answer' };

/** How this server has answered the shown page, and how long that took; its fields on demand. */
@Component({
  selector: 'app-answer',
  template: `
    <details class="answer" (toggle)="showFields($event)">
      <summary>
        <code data-answer="status" [textContent]="texts().status"></code>
        <span data-answer="time" [textContent]="texts().time"></span>
      </summary>
      <p>
        The <code>Cache-Status</code> of the server’s answer to this page, and the time from its
        first middleware to the head of the answer. Its fields:
      </p>
      <dl>
        @for (field of fields(); track field[0]) {
          <div>
            <dt>{{ field[0] }}</dt>
            <dd>{{ field[1] }}</dd>
          </div>
        }
      </dl>
    </details>
  `,
})
export class Answer {
  readonly path = input.required<string>();
  protected readonly answer = signal<ServerAnswer | undefined>(undefined);
  protected readonly texts = computed(() => {
    const answer = this.answer();
    return answer === undefined ? UNKNOWN : toTexts(answer);
  });
  protected readonly fields = signal<readonly (readonly [string, string])[]>([]);

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

  protected showFields({ target }: Event): void {
    if ((target as HTMLDetailsElement).open) void this.#showFields();
  }

  async #ask(path: string): Promise<void> {
    this.answer.set(readAnswer(await fetchFields(path)));
  }

  async #showFields(): Promise<void> {
    this.fields.set([...(await fetchFields(this.path()))]);
  }
}
