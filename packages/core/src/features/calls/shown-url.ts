import { withoutSecrets } from '../../without-secrets.ts';

const MOST_CHARACTERS = 500;

/** A URL for logs and events: without its fragment, and without values of parameters that may be secrets. */
export function shownUrl({ origin, pathname, search }: URL): string {
  const text = withoutSecrets(origin + pathname + search);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}
