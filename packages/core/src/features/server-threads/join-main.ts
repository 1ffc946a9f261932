import type { HostVerdict } from '../../host/host-check.ts';
import type { ServerThreadData } from '../../server-thread.ts';
import type { MainThread } from '../../threads/server-threads.ts';
import { MainLink } from './main-link.ts';
import { PageReplica } from './page-replica.ts';
import { toLifecycle } from './thread-lifecycle.ts';
import { ThreadServer } from './thread-server.ts';

/** Makes this a server thread. */
export function joinMain(thread: ServerThreadData): MainThread {
  const main = new MainLink(thread);
  return {
    threads: new ThreadServer(thread.listen, main),
    files: main.start.files,
    toPages: (built, parts) => {
      const pages = new PageReplica(main, parts);
      main.listen((message) => {
        if (message.kind === 'encoded') built.addEncoded(message.added);
        else if (message.kind === 'count') main.sendCounts(message.id);
        else pages.take(message);
      });
      return pages;
    },
    toLifecycle: (start, close) => toLifecycle(main, start, close),
    renderWithContent: (exchange, content) => main.renderWithContent(exchange, content),
    judgeHost: (host) =>
      main.ask((id) => ({ kind: 'host', id, host })).reply as Promise<HostVerdict>,
    countAnswered: (answered) => main.post({ kind: 'answered', ...answered }),
  };
}
