import { BroadcastChannel } from 'node:worker_threads';
import type { Recorder, Step } from './recorder.ts';
import type { Recording } from './recording.ts';

const NAME = 'ng-ssr-trace';

interface Question {
  readonly ask: keyof Recording;
}

interface Reply {
  readonly reply: number | readonly Step[] | undefined;
}

/** What both threads use of a channel: its types are those of browsers, without `unref`. */
interface Channel {
  onmessage: ((event: { readonly data: Question | Reply }) => void) | null;
  postMessage(message: Question | Reply): void;
  unref(): void;
  close(): void;
}

/** Lets the main thread of the process record this one. */
export function answerMainThread(recorder: Recorder): void {
  const channel = open();
  const answers: Record<keyof Recording, () => Reply['reply']> = {
    start: () => recorder.start() ?? undefined,
    stepCount: () => recorder.stepCount,
    stop: () => recorder.stop(),
  };
  channel.onmessage = ({ data }) => {
    if ('ask' in data) channel.postMessage({ reply: answers[data.ask]() } satisfies Reply);
  };
}

/** The only other thread of this process that calls {@link answerMainThread}. */
export function recordingOfThread(): Recording & { close(): void } {
  const channel = open();
  const ask = (question: keyof Recording): Promise<Reply['reply']> =>
    new Promise((resolve) => {
      channel.onmessage = ({ data }) => {
        if ('reply' in data) resolve(data.reply);
      };
      channel.postMessage({ ask: question } satisfies Question);
    });
  return {
    start: async () => void (await ask('start')),
    stepCount: async () => (await ask('stepCount')) as number,
    stop: async () => (await ask('stop')) as readonly Step[],
    close: () => channel.close(),
  };
}

/** Does not keep a server thread from ending. */
function open(): Channel {
  const channel = new BroadcastChannel(NAME) as unknown as Channel;
  channel.unref();
  return channel;
}
