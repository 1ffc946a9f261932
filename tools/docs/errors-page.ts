import { join } from 'node:path';
import { type ErrorEntry, readErrorCodes, readRefusals } from './error-entries.ts';

const INTRODUCTION = `# Errors

Each error of ng-ssr is an \`SsrError\`: \`code\` is stable, \`message\` is for people, \`cause\` is the underlying error,
and \`docs\` is the address of its entry on this page. A wrong option is thrown when a server is created. What fails later
goes to \`onError\`, by default as one line on stderr, and the client gets the status below, with the code in
\`Cache-Status\`. Many are notices, which reach no client: the server goes on, at some cost that the message names.

\`\`\`ts
// src/server.ts
import { appEngine, createKoaSsrServer } from '@ng-ssr/koa';

const server = createKoaSsrServer({
  engine: appEngine(),
  allowedHosts: ['shop.example', 'localhost'],
  onError: ({ code, message, docs, cause }) => console.error(code, message, docs, cause),
});

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) void server.listen();
\`\`\`
`;

const REFUSALS_TITLE = 'ng add and ng generate';

/** docs/errors.md: an entry for each code of servers and of schematics. */
export function errorsPage(root: string): string {
  const sections = [
    ...readErrorCodes(join(root, 'packages/core/src/error-codes.ts')),
    {
      title: REFUSALS_TITLE,
      entries: readRefusals(join(root, 'packages/schematics/src/refusal.ts')),
    },
  ];
  const texts = sections.map(
    ({ title, entries }) => `## ${title}\n\n${entries.map(toText).join('\n')}`,
  );
  return `${INTRODUCTION}\n${texts.join('\n')}`;
}

function toText({ code, status, when, advice, example }: ErrorEntry): string {
  const heading = `### ${code}\n\n`;
  const answer = status === undefined ? '' : `Status ${status}. `;
  return `${heading}${answer}${when}\n\n**What to do:** ${advice}\n\n\`\`\`text\n${example}\n\`\`\`\n`;
}
