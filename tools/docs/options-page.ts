import { COMMON_OPTIONS } from './common-options.ts';
import { OPTION_GUIDES } from './option-guides.ts';
import { anchorsOf, OptionHeadings } from './option-headings.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { type OptionRow, type OptionTable, optionTables } from './option-tables.ts';
import { OptionTypes } from './option-types.ts';

const INTRODUCTION = `# Options

Options have the same names in every adapter. The server checks each value when it starts: the error names the option, its
value and what is allowed. \`[path]\` and \`[url]\` stand for the patterns that you write. Names that end with \`Ms\` are in
milliseconds, names that end with \`Bytes\` in bytes.
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
  const features = OPTION_SECTIONS.filter(
    ({ title, text }) => /^with\w+$/.test(title) && /\bfeature\b/.test(text),
  );
  const titles = features.map(({ title }) => title);
  const links = titles.sort().map((title) => `[\`${title}()\`](#${title.toLowerCase()})`);
  return (
    'A **feature** adds something to a server. Import it from the package of your adapter, and add it to the option ' +
    '[`features`](#features): `features: [withInspector()]`. A server without a feature does not load its code. ' +
    `The features are ${links.join(', ')}, and [your own](features.md).\n`
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
    const summary = path === '' ? summaryOf(section.title, advanced) : summaryOf(path);
    return [
      ...rows.filter(isShown).map((row) => toEntry(row, level)),
      ...(advanced.length === 0
        ? []
        : [
            `<details>\n<summary>${summary}</summary>\n`,
            ...advanced.map((row) => toEntry(row, level)),
            '</details>\n',
          ]),
    ].join('\n');
  }

  function toEntry(row: OptionRow, level: 3 | 4): string {
    const { type, default: standard = '', tablePath } = row;
    const inside = tables.find((table) => table.path === tablePath)?.rows ?? [];
    const links = inside.map((each) => `[\`${lastName(each)}\`](#${anchorsOf(section, each)[0]})`);
    const lines = [
      `- **Type:** \`${type}\``,
      standard === 'required' ? '- **Required**' : `- **Default:** ${standard}`,
      ...(inside.length === 0 ? [] : [`- **Options:** ${links.join(', ')}`]),
    ];
    const own = [headings.ofOption(section, row, level), lines.join('\n'), meaningOf(row)];
    const nested = tablePath === undefined ? '' : `\n${toEntries(tablePath, 4)}`;
    return `${own.join('\n\n')}\n${nested}`;
  }
}

function isCommon({ prefix }: OptionSection, { path, default: standard }: OptionRow): boolean {
  const full = prefix === '' ? path : `${prefix}.${path}`;
  return COMMON_OPTIONS.has(full) || standard === 'required';
}

function lastName({ path }: OptionRow): string {
  return path.split('.').at(-1)!;
}

/** The options that a summary names are in no list of links above it. */
function summaryOf(title: string, named: readonly OptionRow[] = []): string {
  const names = named.map((row) => `<code>${lastName(row)}</code>`);
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`;
  return `Advanced options of ${title}${list}`;
}

function meaningOf({ path, meaning }: OptionRow): string {
  const guide = OPTION_GUIDES[path];
  return guide === undefined ? meaning : `${meaning} See [${guide[0]}](${guide[1]}).`;
}
