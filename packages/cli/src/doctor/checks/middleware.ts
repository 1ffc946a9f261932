import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import { NO_ANSWER } from '../probe/probe-message.ts';

/** What helmet sets, and hardly anybody else. */
const OF_HELMET = ['x-dns-prefetch-control', 'x-permitted-cross-domain-policies'];

/** What stands before ng-ssr in the server, as an answer shows. */
export const checkMiddleware: Check = ({ server }) => {
  const { file, rendered } = server ?? {};
  const findings: Finding[] = [];
  // All answers of ng-ssr have it (RFC 9211).
  if (file !== undefined && file.status === 200 && file.headers['cache-status'] === undefined) {
    findings.push({
      id: 'static-before',
      severity: 'warning',
      found: `A middleware before ng-ssr responds to ${file.path}.`,
      why:
        'Files are sent without prebuilt encodings, ETags and the Cache-Control of hashed names, and each request ' +
        'reads the disk.',
      fix: 'remove express.static, koa-static or @fastify/static for the browser folder',
    });
  }
  const isTaken = file?.status === 404 && file.headers['cache-status'] === undefined;
  if (file !== undefined && (isTaken || file.status === NO_ANSWER)) {
    findings.push({
      id: 'middleware-before',
      severity: 'error',
      found: `${file.path} gets ${isTaken ? '404 from a middleware before ng-ssr' : 'no response'}.`,
      why: isTaken
        ? 'A handler for unknown paths is in front of ng-ssr, so no file or page is sent.'
        : 'A middleware before ng-ssr neither responds nor calls next(), so requests hang.',
      fix: isTaken
        ? 'add the handler after ng-ssr: with a server of ng-ssr, remove it, and use errorPages'
        : 'call next() in each middleware that does not respond',
    });
  }
  if (file?.headers['content-encoding'] === 'deflate') {
    findings.push({
      id: 'compression-before',
      severity: 'warning',
      found: `A middleware compresses ${file.path}.`,
      why: 'It compresses again what ng-ssr has compressed, on the threads that render.',
      fix: "remove compression(), koa-compress or @fastify/compress, or add it to your own routes' router only",
    });
  }
  const declared = server?.description?.features['headers'];
  if (declared === undefined && OF_HELMET.every((name) => file?.headers[name] !== undefined)) {
    findings.push({
      id: 'helmet-before',
      severity: 'note',
      found: `helmet() runs for ${file!.path}.`,
      why: 'It sets the same headers for each hit, which costs more than the hit itself.',
      fix: "remove it, add withHeaders({ 'X-Frame-Options': 'SAMEORIGIN' }) with its headers, and give it to your own routes' router only",
    });
  }
  if (rendered !== undefined && rendered.status >= 500) {
    const reason = reasonIn(server?.printed ?? [], rendered.path);
    findings.push({
      id: 'render-failed',
      severity: 'error',
      found: `${rendered.path} gets status ${rendered.status}.`,
      why: reason === undefined ? 'The page cannot be rendered here.' : `It failed with ${reason}`,
      fix: `curl -i http://localhost:4000${rendered.path}, and read the server's log`,
    });
  }
  return findings;
};

/** The error that the program has printed for a page: nothing if it has an `onError` that prints otherwise. */
function reasonIn(
  printed: readonly { readonly message: string }[],
  path: string,
): string | undefined {
  const line = printed.find(({ message }) => message.startsWith(`GET ${path} `));
  // The address of the documentation stands between the message and its cause.
  const [failed, cause] = line?.message.split(/ \(https:\S+\) /, 2) ?? [];
  return cause ?? failed;
}
