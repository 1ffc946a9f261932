import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { Application, type DeclarationReflection, LogLevel, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { root } from '../repository.ts';
import type { SourcePage } from '../contents/page.ts';
import { type EntryPoint, findEntryPoints } from './entry-points.ts';
import { mendAnchors } from './mend-anchors.ts';

const MARKDOWN: Partial<PluginOptions & TypeDocOptions> = {
  router: 'module',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: false,
  useCodeBlocks: true,
  expandObjects: false,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  tableColumnSettings: { hideSources: true, leftAlignHeaders: true },
};

/** The public API of each entry as Markdown, made from its declarations and their doc comments. */
export async function readReference(): Promise<readonly SourcePage[]> {
  const entries = findEntryPoints();
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-reference-'));
  try {
    await writeMarkdown(entries, folder);
    const pages = entries.map(({ name, path }) => ({
      path,
      file: undefined,
      markdown: tidy(readFileSync(join(folder, `${path}.md`), 'utf8'), name, entries),
    }));
    return mendAnchors(pages);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeMarkdown(entries: readonly EntryPoint[], folder: string): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ declarations }) => declarations),
    tsconfig: join(root, 'tsconfig.base.json'),
    readme: 'none',
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    skipErrorChecking: true,
    logLevel: LogLevel.Error,
    ...MARKDOWN,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc read no declarations');
  nameModules(project.children ?? [], entries);
  app.options.setValue('outputs', [{ name: 'markdown', path: folder }]);
  await app.generateOutputs(project);
}

/** Puts the title first, and what an entry exports again into one paragraph. */
function tidy(markdown: string, name: string, entries: readonly EntryPoint[]): string {
  const [own = '', again] = markdown.split(/^## References$/m);
  const below = entries.filter((entry) => entry.name.startsWith(`${name}/`));
  const others = below.map(
    (entry) => `- [${entry.name}](${basename(name)}/${basename(entry.path)}.md)`,
  );
  const head = `# ${name}\n\nWhat \`import … from '${name}'\` brings.\n\n${others.join('\n')}\n\n`;
  const body = head + own.replace(/^# .*$/m, '').trim();
  if (again === undefined) return `${body}\n`;
  const links = [...again.matchAll(/^Re-exports (\[.*\]\(.*\))$/gm)].map(([, link]) => link);
  return `${body}\n\n## Exported again\n\n${links.join(', ')}\n`;
}

/** TypeDoc names modules by their files; readers know them by what they import. */
function nameModules(
  modules: readonly DeclarationReflection[],
  entries: readonly EntryPoint[],
): void {
  const names = new Map(
    entries.map(({ declarations, path }) => [toModuleName(declarations), path]),
  );
  for (const module of modules) {
    const name = names.get(module.name);
    if (name === undefined) throw new Error(`TypeDoc has a module of no entry: ${module.name}`);
    module.name = name;
  }
}

/** `packages/koa/dist/index.d.ts` is TypeDoc's `koa/dist`. */
function toModuleName(declarations: string): string {
  return relative(join(root, 'packages'), declarations).replace(/(\/index)?\.d\.ts$/, '');
}
