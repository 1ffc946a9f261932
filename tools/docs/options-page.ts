import { OPTION_GUIDES } from './option-guides.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { type OptionRow, type OptionTable, optionTables } from './option-tables.ts';
import { OptionTypes } from './option-types.ts';

const INTRODUCTION = `# Options

Options have the same names in every adapter. Every value is checked at start; an error names the option, its value and
what is allowed. \`[path]\` and \`[url]\` stand for the patterns that you write. Times are in milliseconds where the name
ends with \`Ms\`, sizes in bytes where it ends with \`Bytes\`.
`;

/** The sections of the page with their tables. */
export function readOptions(root: string): Map<OptionSection, readonly OptionTable[]> {
  const types = new OptionTypes(root);
  return new Map(
    OPTION_SECTIONS.map((section) => {
      const members = new Map(section.types.flatMap((name) => [...types.membersOf(name)]));
      return [section, members.size === 0 ? [] : optionTables(types, members)];
    }),
  );
}

/** docs/options.md: the options of the packages, with their types, defaults and meanings. */
export function optionsPage(root: string): string {
  const texts = [...readOptions(root)].map(([section, tables]) => toSection(section, tables));
  return [INTRODUCTION, featuresLine(), ...texts].join('\n');
}

function featuresLine(): string {
  const features = OPTION_SECTIONS.filter(
    ({ title, text }) => /^with\w+$/.test(title) && text.includes('the option `features`'),
  );
  const titles = features.map(({ title }) => title);
  const links = titles.sort().map((title) => `[\`${title}()\`](#${title.toLowerCase()})`);
  return (
    'A **feature** adds something to a server: import it from the package of your adapter, and write ' +
    '`features: [withInspector()]`. A server without it has none of its code. There are ' +
    `${links.join(', ')}, and [your own](features.md).\n`
  );
}

function toSection(section: OptionSection, tables: readonly OptionTable[]): string {
  const parts = tables.map((table) => {
    const heading = table.path === '' ? '' : `### ${headingOf(section, table.path)}\n\n`;
    return `${heading}${toTable(section, table)}`;
  });
  const text = section.text === '' ? '' : `${section.text}\n\n`;
  return `## ${section.title}\n\n${text}${parts.join('\n')}`;
}

function headingOf({ prefix }: OptionSection, path: string): string {
  return prefix === '' ? path : `${prefix}: ${path}`;
}

function toTable(section: OptionSection, { rows }: OptionTable): string {
  const lines = rows.map((row) => {
    const standard = row.default ?? '';
    const cells = [nameOf(section, row), `\`${row.type}\``, standard, meaningOf(row)];
    return cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ');
  });
  const head = ['option | type | default | meaning', '--- | --- | --- | ---'];
  return `| ${[...head, ...lines].join(' |\n| ')} |\n`;
}

/** Each option has an anchor, such as `cache-maxbytes`; one with a table of its own leads there. */
function nameOf(section: OptionSection, { path, tablePath }: OptionRow): string {
  const full = section.prefix === '' ? path : `${section.prefix}.${path}`;
  const anchor = full.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const target = `<a id="${anchor}"></a>`;
  if (tablePath === undefined) return `${target}\`${path}\``;
  const heading = headingOf(section, tablePath).toLowerCase();
  const ofTable = heading.replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-');
  return `${ofTable === anchor ? '' : target}[\`${path}\`](#${ofTable})`;
}

function meaningOf({ path, meaning }: OptionRow): string {
  const guide = OPTION_GUIDES[path];
  return guide === undefined ? meaning : `${meaning} See [${guide[0]}](${guide[1]}).`;
}
