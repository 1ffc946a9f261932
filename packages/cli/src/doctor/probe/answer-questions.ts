import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { askPage } from './ask-page.ts';
import { MARK, type PageMessage, type PageQuestion } from './probe-message.ts';

/** Answers the parent's questions for pages, one after the other. */
export function answerQuestions(server: Server, host: string, withinMs: number): void {
  let notices: string[] = [];
  // The program stays as long as its parent asks.
  process.channel?.ref();
  subscribe('ng-ssr:notice', (message) => {
    notices.push((message as { readonly message: string }).message);
  });
  process.on('message', (message: Record<string, unknown>) => {
    if (!(MARK in message)) return;
    const { id, path } = message[MARK] as PageQuestion & { readonly id: number };
    void askPage(server, host, path, withinMs).then((page) => {
      const answer: PageMessage = { id, page, notices };
      notices = [];
      process.send?.({ [MARK]: answer });
    });
  });
}
