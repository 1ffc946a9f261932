import { join } from 'node:path';
import { type ErrorEntry, readErrorCodes, readRefusals } from './error-entries.ts';

const INTRODUCTION = `# Errors

Each error is an \`SsrError\` with a stable \`code\`. A wrong option is thrown when a server is created; later errors go to
\`onError\`, by default as one line on stderr. If a request fails, the client gets the status of the entry, by default 500, and
\`Cache-Status: ng-ssr; detail=<code>\`. Notices do not reach clients.

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
  const answer = status === undefined || status === 500 ? '' : `Status ${status}. `;
  // The introduction shows this header.
  const isHeader = example.startsWith('Cache-Status: ');
  const shown = isHeader ? '' : `\`${example}\`\n\n`;
  return `### ${code}\n\n${shown}${answer}${when}\n\n**Fix:** ${advice}\n`;
}
