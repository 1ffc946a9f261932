import { serverThread } from '../server-thread.ts';
import type {
  HandlerThreads,
  ServerLifecycle,
  ServerThreadsParts,
} from '../threads/server-threads.ts';
import type { Parts } from './compose-on-node.ts';

/** The server threads of a handler. Undefined without the feature. */
export function openThreads(
  { core, handler, runtime, server, serverThreads }: Parts,
  lifecycle: ServerLifecycle,
  render: ServerThreadsParts['render'],
): HandlerThreads | undefined {
  if (core.main !== undefined) return core.main.threads;
  if (serverThread !== undefined) return toSilent(serverThread.listen);
  return serverThreads?.open({
    ...{ handler, lifecycle, render, onError: core.onError },
    ...{ built: runtime.index, pages: server.pages, reports: runtime.threads },
    renderThreads: runtime.renderThreads?.threads.min ?? 0,
    judgeHost: async (host) => runtime.asked!.judge(host),
    countAnswered: (answered) => {
      for (const each of server.extensions.values()) each.countAnswered?.(answered);
    },
  });
}

/** Those of the program's other servers, in a thread of one: they do not listen there. */
function toSilent(address: HandlerThreads['address'] & {}): HandlerThreads {
  return { address, listen: async () => () => new Promise(() => {}), refuse() {} };
}
