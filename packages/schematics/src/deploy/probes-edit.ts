import type ts from 'typescript';
import { TextEdit } from '../text-edit.ts';
import { parseSource, typeScript } from '../typescript.ts';
import type { ProbePaths } from './deployment.ts';

/** The paths that `deploy` adds, and those of every example. */
export const DEFAULT_PROBES: ProbePaths = { live: '/livez', ready: '/readyz' };

/** The option as a line of server.ts. */
export const PROBES_LINE = `probes: { live: '${DEFAULT_PROBES.live}', ready: '${DEFAULT_PROBES.ready}' },`;

/** The functions whose first argument has the option. */
const CREATES = /^(create\w+Ssr(Server|Handler)|ssrMiddleware)$/;
/** {@link PROBES_LINE} in any format. */
const ADDED = /\bprobes:\s*\{\s*live:\s*(["'])\/livez\1,\s*ready:\s*(["'])\/readyz\2,?\s*\},?/;

/** The paths of a server.ts; those of {@link DEFAULT_PROBES} where it has none, or not as text. */
export function probesIn(text: string): ProbePaths {
  const probes = /\bprobes:\s*\{([^}]*\}?)/.exec(text)?.[1] ?? '';
  return {
    live: /\blive:\s*["']([^"']+)["']/.exec(probes)?.[1] ?? DEFAULT_PROBES.live,
    ready: /\b(?:ready|path):\s*["']([^"']+)["']/.exec(probes)?.[1] ?? DEFAULT_PROBES.ready,
  };
}

/** Whether a server.ts says something of probes. */
export function hasProbes(text: string): boolean {
  return /\bprobes\b/.test(text);
}

/** Adds the option to a server.ts, or returns undefined where it has no place that is certain. */
export function addProbes(text: string): string | undefined {
  const options = optionsOf(parseSource(text));
  const last = options?.properties.at(-1);
  if (last === undefined) return undefined;
  const edit = new TextEdit(last.getSourceFile());
  edit.replace(last, `${last.getText()},\n${PROBES_LINE.slice(0, -1)}`);
  return edit.apply();
}

/** A server.ts without the option that `deploy` has added. */
export function withoutProbes(text: string): string {
  return text.replace(ADDED, '');
}

function optionsOf(source: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  const api = typeScript();
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (api.isCallExpression(node) && api.isIdentifier(node.expression)) {
      const [options] = node.arguments;
      const isOurs = CREATES.test(node.expression.text);
      if (isOurs && options !== undefined && api.isObjectLiteralExpression(options)) {
        found.push(options);
      }
    }
    api.forEachChild(node, visit);
  };
  visit(source);
  return found.length === 1 ? found[0] : undefined;
}
