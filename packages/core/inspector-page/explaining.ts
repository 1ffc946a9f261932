import type { Explanation } from '../src/features/inspector/protocol.ts';
import { bytes, milliseconds } from './amounts.ts';
import { byId, element, foreign, setText, visible } from './dom.ts';
import { toReason } from './purging.ts';
import { explain, SignedOut } from './server.ts';

const ANSWERS: Readonly<Record<Explanation['answer'], string>> = {
  held: 'The server sends a built file.',
  stored: 'The server sends the cached page.',
  constant: 'The server sends a page without data.',
  server: 'The server itself responds.',
  render: 'The server renders the page.',
  refused: 'The server refuses the request.',
};

/** The form that asks what the server would do with a URL, and why. */
export class Explaining {
  readonly #url = byId<HTMLInputElement>('explain-url');
  readonly #status = byId('explain-status');
  readonly #result = byId('explain-result');

  constructor() {
    byId('explain-form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#ask(this.#url.value);
    });
  }

  /** Explains a path of the table. */
  show(path: string): void {
    this.#url.value = path;
    this.#url.focus();
    void this.#ask(path);
  }

  async #ask(url: string): Promise<void> {
    setText(this.#status, 'Loading…');
    try {
      const explanation = await explain(url);
      setText(this.#status, ANSWERS[explanation.answer]);
      this.#result.replaceChildren(...describe(explanation));
    } catch (error) {
      if (error instanceof SignedOut) return location.reload();
      setText(this.#status, `Not explained: ${toReason(error)}`);
      this.#result.replaceChildren();
    }
  }
}

function describe(explanation: Explanation): HTMLElement[] {
  const { answer, reasons, key, rule, storing, page, notStored, representations, calls } =
    explanation;
  const reason = element('ul', {}, ...reasons.map((text) => element('li', {}, visible(text))));
  const facts = element('dl');
  const add = (name: string, ...values: (Node | string)[]): void => {
    facts.append(element('dt', {}, name), element('dd', {}, ...values));
  };
  if (rule !== undefined) {
    add(
      'Rule',
      foreign(rule.pattern),
      ' ',
      element('code', {}, visible(JSON.stringify(rule.settings))),
    );
  }
  if (key !== undefined) {
    const [site = '', ...parts] = key.split('\n').map((part) => element('code', {}, visible(part)));
    add('Key', site, ...parts.flatMap((part) => [element('br'), part]));
  }
  if (answer === 'render' && storing !== undefined) add('Caching', visible(storing.reason));
  if (page !== undefined) {
    add('Age', `${page.ageSeconds} s, fresh for ${page.ttlSeconds} more s`);
    add('Tags', visible(page.tags.join(', ')) || 'none');
  }
  if (notStored !== undefined) {
    add(
      'Last not cached',
      `${notStored.reason}, at ${new Date(notStored.timeMs).toLocaleString()}`,
    );
  }
  const forms = representations.map(({ encoding, bytes: size }) => `${encoding} ${bytes(size)}`);
  if (forms.length > 0) add('Encodings', forms.join(', '));
  for (const { method, url, result, durationMs } of calls) {
    add('Call', foreign(`${method} ${url}`), ` ${result}, ${milliseconds(durationMs)}`);
  }
  return [reason, facts];
}
