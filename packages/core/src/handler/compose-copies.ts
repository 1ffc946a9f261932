import type { BuiltIndex } from '../files/built-index.ts';
import { type PageCopiesParts, PageReplica } from '../threads/page-replica.ts';

/** The pages of a server thread. From now on the main thread's changes of pages and files are applied. */
export function composeCopies(built: BuiltIndex, parts: PageCopiesParts): PageReplica {
  const { main } = parts;
  const pages = new PageReplica(parts);
  main.listen((message) => {
    if (message.kind === 'encoded') built.addEncoded(message.added);
    else if (message.kind === 'count') main.sendCounts(message.id);
    else pages.take(message);
  });
  return pages;
}
