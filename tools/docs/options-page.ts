import { COMMON_OPTIONS } from './common-options.ts';
import { OPTION_GUIDES } from './option-guides.ts';
import { OptionHeadings, toAnchor } from './option-headings.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { type OptionRow, type OptionTable, optionTables } from './option-tables.ts';
import { OptionTypes } from './option-types.ts';

const INTRODUCTION = `# Options

Options have the same names in every adapter. \`Ms\` in a name means milliseconds, \`Bytes\` bytes. An option without a default is
not set.
`;

/** A list of at most this many options is shown whole. */
const SHORT = 4;

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
  const headings = new OptionHeadings();
  const texts = [...readOptions(root)].map(([section, tables]) =>
    toSection(section, tables, headings),
  );
  return [INTRODUCTION, featuresLine(), ...texts].join('\n');
}

function featuresLine(): string {
  const features = OPTION_SECTIONS.filter(({ isFeature }) => isFeature);
  const [without, having] = [true, false].map((isWithout) =>
    features
      .filter(({ types }) => (types.length === 0) === isWithout)
      .map(({ title }) => title)
      .sort()
      .map((title) => `[\`${title}()\`](#${title.toLowerCase()})`)
      .join(', '),
  );
  return (
    'Import a **feature** from the package of your adapter, and add it to [`features`](#features): ' +
    `\`features: [withInspector()]\`. Features with options are ${having}. ` +
    `The others are ${without}, and [your own](features.md).\n`
  );
}

function toSection(
  section: OptionSection,
  tables: readonly OptionTable[],
  headings: OptionHeadings,
): string {
  const heading = headings.ofSection(section);
  const text = section.text === '' ? '' : `\n\n${section.text}`;
  return `${heading}${text}\n\n${toEntries('', 3)}`;

  /** The options of one object, the common ones first, each with the options that it contains. */
  function toEntries(path: string, level: 3 | 4): string {
    const rows = tables.find((table) => table.path === path)?.rows ?? [];
    const isShown = (row: OptionRow): boolean => rows.length <= SHORT || isCommon(section, row);
    const advanced = rows.filter((row) => !isShown(row));
    return [
      ...rows.filter(isShown).map((row) => toEntry(row, level)),
      ...(advanced.length === 0
        ? []
        : [
            `<details>\n<summary>${summaryOf(advanced)}</summary>\n`,
            ...advanced.map((row) => toEntry(row, level)),
            '</details>\n',
          ]),
    ].join('\n');
  }

  function toEntry(row: OptionRow, level: 3 | 4): string {
    const { tablePath } = row;
    const own = [headings.ofOption(section, row, level), factsOf(row), meaningOf(section, row)];
    const links = row.shared.map((path) => `[\`${lastName(path)}\`](#${toAnchor(path)})`);
    if (links.length > 0) own.push(`Options: ${links.join(', ')}.`);
    const nested = tablePath === undefined ? '' : `\n${toEntries(tablePath, 4)}`;
    return `${own.join('\n\n')}\n${nested}`;
  }
}

/** Defaults that tell nothing. */
const SILENT = new Set(['none', 'those of its options']);

/** The type, and the default if there is one. */
function factsOf({ type, default: standard, isRequired }: OptionRow): string {
  const fence = type.includes('`') ? '``' : '`';
  const code = `${fence}${type}${fence}`;
  if (isRequired) return `${code}, ${standard}`;
  return SILENT.has(standard!) ? code : `${code}, default ${standard}`;
}

function isCommon({ prefix }: OptionSection, { path, default: standard }: OptionRow): boolean {
  const full = prefix === '' ? path : `${prefix}.${path}`;
  return COMMON_OPTIONS.has(full) || standard === 'required';
}

function lastName(path: string): string {
  return path.split('.').at(-1)!;
}

function summaryOf(advanced: readonly OptionRow[]): string {
  const names = advanced.map((row) => `<code>${lastName(row.path)}</code>`);
  return `Advanced: ${names.join(', ')}`;
}

function meaningOf({ prefix }: OptionSection, { path, meaning }: OptionRow): string {
  // The name of another section's option may be that of an option with a guide.
  const guide = OPTION_GUIDES[`${prefix}.${path}`] ?? OPTION_GUIDES[path];
  return guide === undefined ? meaning : `${meaning} See [${guide[0]}](${guide[1]}).`;
}
