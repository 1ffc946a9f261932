import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';

/** What stands before ng-ssr in the server, as an answer shows. */
export const checkMiddleware: Check = ({ server }) => {
  const { file, rendered } = server ?? {};
  const findings: Finding[] = [];
  // All answers of ng-ssr have it (RFC 9211).
  if (file !== undefined && file.status === 200 && file.headers['cache-status'] === undefined) {
    findings.push({
      id: 'static-before',
      severity: 'warning',
      found: `${file.path} is answered by something before ng-ssr.`,
      why:
        'Files come without ready encodings, ETags and the Cache-Control of hashed names, and each request ' +
        'reads the disk.',
      mend: 'remove express.static, koa-static or @fastify/static for the browser folder',
    });
  }
  if (file?.headers['content-encoding'] === 'deflate') {
    findings.push({
      id: 'compression-before',
      severity: 'warning',
      found: `${file.path} is compressed by a middleware.`,
      why: 'It looks at every answer and compresses again what ng-ssr has ready, on the threads of renders.',
      mend: "remove compression(), koa-compress or @fastify/compress, or add it to your own routes' router only",
    });
  }
  if (rendered !== undefined && rendered.status >= 500) {
    const reason = reasonIn(server?.printed ?? [], rendered.path);
    findings.push({
      id: 'render-failed',
      severity: 'error',
      found: `${rendered.path} is answered with ${rendered.status}.`,
      why: reason === undefined ? 'The page cannot be rendered here.' : `It failed with ${reason}`,
      mend: `curl -i http://localhost:4000${rendered.path}, and read the log of the server`,
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
