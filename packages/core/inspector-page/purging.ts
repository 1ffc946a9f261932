import { byId, setText, visible } from './dom.ts';
import { purge, Refused, SignedOut } from './server.ts';

type Kind = 'path' | 'prefix' | 'tag';

/** The form for purges, and the dialog that asks before each. */
export class Purging {
  readonly #dialog = byId<HTMLDialogElement>('purge-dialog');
  readonly #value = byId<HTMLInputElement>('purge-value');
  readonly #kind = byId<HTMLSelectElement>('purge-kind');
  readonly #isHard = byId<HTMLInputElement>('purge-hard');
  readonly #onPurged: () => void;

  /** What the dialog asks about. */
  #asked: (() => Promise<void>) | undefined;

  /** @param onPurged - Called after each purge. */
  constructor(onPurged: () => void) {
    this.#onPurged = onPurged;
    this.#dialog.addEventListener('close', () => {
      // The event of an earlier dialog may come once the next is open.
      if (!this.#dialog.open && this.#dialog.returnValue === 'purge') void this.#asked?.();
    });
    byId('purge-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask(this.#kind.value as Kind, this.#value.value, this.#isHard.checked);
    });
  }

  /** Asks, and purges if the operator says so. */
  ask(kind: Kind, value: string, isHard: boolean): void {
    const what =
      kind === 'path'
        ? 'every variant of'
        : kind === 'prefix'
          ? 'all pages below'
          : 'all pages with the tag';
    const effect = isHard
      ? 'The next request renders the page again.'
      : 'The pages become stale: the server may send them once more while it renders them again.';
    setText(byId('purge-question'), `Purge ${what} ${visible(value)}? ${effect}`);
    this.#asked = () => this.#purge(kind, value, isHard);
    this.#dialog.returnValue = '';
    this.#dialog.showModal();
  }

  async #purge(kind: Kind, value: string, isHard: boolean): Promise<void> {
    const result = byId('purge-result');
    setText(result, 'Purging…');
    try {
      const { here } = await purge({ [kind]: value, hard: isHard });
      const time = new Date().toLocaleTimeString();
      const pages = here === 0 ? 'no page' : here === 1 ? '1 page' : `${here} pages`;
      const purged = `Purged ${kind} ${visible(value)}${isHard ? ', hard' : ''}, at ${time}`;
      setText(result, `${purged}: ${pages} in this process.`);
      this.#onPurged();
    } catch (error) {
      if (error instanceof SignedOut) return location.reload();
      setText(result, `Not purged: ${toReason(error)}`);
    }
  }
}

export function toReason(error: unknown): string {
  return error instanceof Refused ? visible(error.message) : 'the server does not respond.';
}
