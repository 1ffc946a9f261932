import { TextEdit } from '../text-edit.ts';
import { optionsIn } from './server-settings.ts';

/** The paths that `deploy` adds, and those of every example. */
export const DEFAULT_PROBES = { live: '/livez', ready: '/readyz' } as const;

/** The option as a line of server.ts. */
export const PROBES_LINE = `probes: { live: '${DEFAULT_PROBES.live}', ready: '${DEFAULT_PROBES.ready}' },`;

/** {@link PROBES_LINE} in any format. */
const ADDED = /\bprobes:\s*\{\s*live:\s*(["'])\/livez\1,\s*ready:\s*(["'])\/readyz\2,?\s*\},?/;

/** Adds the option to a server.ts, or returns undefined where it has no place that is certain. */
export function addProbes(text: string): string | undefined {
  const last = optionsIn(text)?.properties.at(-1);
  if (last === undefined) return undefined;
  const edit = new TextEdit(last.getSourceFile());
  edit.replace(last, `${last.getText()},\n${PROBES_LINE.slice(0, -1)}`);
  return edit.apply();
}

/** A server.ts without the option that `deploy` has added. */
export function withoutProbes(text: string): string {
  return text.replace(ADDED, '');
}
