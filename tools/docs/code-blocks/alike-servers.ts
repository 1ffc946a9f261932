/** The frameworks whose servers are created alike, in the order of their tabs: `createKoaSsrServer` of `@ng-ssr/koa`. */
const ALIKE: Readonly<Record<string, string>> = {
  express: 'Express',
  node: 'Node',
  koa: 'Koa',
  fastify: 'Fastify',
};

/** Pages about one framework, or about a way from one server to another. */
const OF_ONE =
  /^docs\/(?:start|deploy|migrating)\/|^docs\/(?:tutorial|existing-express|leaving)\.md$/;

const CREATED =
  /^import \{[^}]*\bcreate(Express|Node|Koa|Fastify)SsrServer\b[^}]*\} from '@ng-ssr\/(express|node|koa|fastify)';$/m;

/** Code that only one framework understands. */
const OF_FRAMEWORK = /\.use\(|\bserver\.app\b|from '(?:express|koa|fastify|node:http2?)'/;

/**
 * The sample for each framework whose server is created like its own, so that a page has it once.
 *
 * @param page - The Markdown file, from the root of the repository.
 * @returns the code by tab; undefined for other code.
 */
export function alikeServers(page: string, code: string): ReadonlyMap<string, string> | undefined {
  const [, name] = CREATED.exec(code) ?? [];
  if (name === undefined || !page.startsWith('docs/') || OF_ONE.test(page)) return undefined;
  if (OF_FRAMEWORK.test(code)) return undefined;
  return new Map(
    Object.entries(ALIKE).map(([tab, other]) => [
      tab,
      code
        .replaceAll(`create${name}SsrServer`, `create${other}SsrServer`)
        .replaceAll(`'@ng-ssr/${name.toLowerCase()}'`, `'@ng-ssr/${tab}'`),
    ]),
  );
}
