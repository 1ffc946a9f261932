import { byId, setText } from './dom.ts';
import { Explaining } from './explaining.ts';
import { Overview } from './overview.ts';
import { Purging } from './purging.ts';
import { readState, SignedOut } from './server.ts';
import { StoredPages } from './stored-pages.ts';

const EVERY_MS = 1000;
const MOST_MS = 15_000;

const overview = new Overview();
const explaining = new Explaining();
const purging = new Purging(() => pages.reload());
const pages = new StoredPages({
  explain: (path) => explaining.show(path),
  purge: (path) => purging.ask('path', path, true),
});

const connection = byId('connection');
let waitMs = EVERY_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
let isReading = false;

/** Reads the state once a second while the page is seen, and less often while the server does not respond. */
async function refresh(): Promise<void> {
  clearTimeout(timer);
  if (document.hidden || isReading) return;
  isReading = true;
  try {
    const state = await readState();
    overview.show(state);
    pages.refresh(state.pages.count);
    waitMs = EVERY_MS;
    setText(connection, 'Live');
    connection.className = 'live';
  } catch (error) {
    if (error instanceof SignedOut) return location.reload();
    waitMs = Math.min(waitMs * 2, MOST_MS);
    setText(connection, `The server does not respond. Next try in ${waitMs / 1000} s`);
    connection.className = 'away';
  } finally {
    isReading = false;
  }
  timer = setTimeout(() => void refresh(), waitMs);
}

document.addEventListener('visibilitychange', () => void refresh());
addEventListener('online', () => void refresh());
void refresh();
