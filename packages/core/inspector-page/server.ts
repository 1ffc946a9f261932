import type { PurgeReport } from '../src/pages/purge-reach.ts';
import type {
  Explanation,
  InspectorPages,
  InspectorState,
} from '../src/features/inspector/protocol.ts';

const PATIENCE_MS = 5000;

/** The session has ended, or the token has changed. */
export class SignedOut extends Error {}

/** What the server has to say against a request. */
export class Refused extends Error {}

export function readState(): Promise<InspectorState> {
  return ask('state');
}

export function readPages(query: Readonly<Record<string, string>>): Promise<InspectorPages> {
  return ask(`pages?${new URLSearchParams(query)}`);
}

export function explain(url: string): Promise<Explanation> {
  return ask('explain', { url });
}

export function purge(purge: Readonly<Record<string, string | boolean>>): Promise<PurgeReport> {
  return ask('purge', purge);
}

/** @throws SignedOut, Refused, and the errors of `fetch`. */
async function ask<Reply>(part: string, content?: object): Promise<Reply> {
  const posted = content && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  };
  const response = await fetch(new URL(part, import.meta.url), {
    ...posted,
    cache: 'no-store',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.status === 401) throw new SignedOut();
  if (!response.ok) throw new Refused((await response.text()).trim());
  return (await response.json()) as Reply;
}
