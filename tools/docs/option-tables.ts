import ts from 'typescript';
import { readOptionComment } from './option-comment.ts';
import type { OptionMembers, OptionTypes } from './option-types.ts';

/** An option, as a row of a table shows it. */
export interface OptionRow {
  /** As users write it from the outermost option on: `cache.maxBytes`. */
  readonly path: string;
  readonly type: string;
  /** Undefined if the comment states none; for a required one that it is required. */
  readonly default: string | undefined;
  readonly isRequired: boolean;
  readonly meaning: string;
  /** The path of its own options' table, if it has some: `routeRules[path]`. */
  readonly tablePath: string | undefined;
  /** Paths of its own options, if they are picked from those that servers on Node have at the same path. */
  readonly shared: readonly string[];
}

/** The options of one object. */
export interface OptionTable {
  /** Empty for the outermost options. */
  readonly path: string;
  readonly rows: readonly OptionRow[];
}

/** What the page shows in place of a name that readers would have to look up. */
const SHOWN: Readonly<Record<string, string>> = {
  HostCheck: '((host: string) => boolean | Promise<boolean>)',
  NodeListener: '(request, response) => void',
  Own: 'Server',
};

/** The keys of options that are rules by pattern. */
const KEYS: Readonly<Record<string, string>> = { routeRules: '[path]' };

/** The table of a type's options, and those of the options that they have. */
export function optionTables(types: OptionTypes, members: OptionMembers, path = ''): OptionTable[] {
  const nested: OptionTable[] = [];
  const required = toRequired(members);
  const rows = [...members].map(([name, signatures]) => {
    const own = path === '' ? name : `${path}.${name}`;
    const { members: inside, byKey, isPicked } = types.nestedIn(signatures[0]!.type!);
    const key = byKey ? (KEYS[name] ?? '[name]') : '';
    const tablePath = inside.size > 0 && !isPicked ? `${own}${key}` : undefined;
    if (tablePath !== undefined) nested.push(...optionTables(types, inside, tablePath));
    const shared = isPicked ? [...inside.keys()].map((each) => `${own}.${each}`) : [];
    return { ...toRow(types, own, signatures[0]!, required), tablePath, shared };
  });
  return [{ path, rows }, ...nested];
}

/** Of the alternatives of a union one is required. */
function toRequired(members: OptionMembers): string {
  const isUnion = [...members.values()].some((signatures) => signatures.length > 1);
  if (!isUnion) return 'required';
  const names = [...members].filter(([, [signature]]) => signature!.questionToken === undefined);
  return `one of ${names.map(([name]) => `\`${name}\``).join(', ')}`;
}

function toRow(
  types: OptionTypes,
  path: string,
  signature: ts.PropertySignature,
  required: string,
): Omit<OptionRow, 'tablePath' | 'shared'> {
  const comment = ts.getJSDocCommentsAndTags(signature).find(ts.isJSDoc)?.getText() ?? '';
  const { meaning, default: standard } = readOptionComment(comment);
  const isRequired = signature.questionToken === undefined;
  const type = shortType(types, signature.type!);
  return { path, type, default: isRequired ? required : standard, isRequired, meaning };
}

/** As written, without `undefined` and `readonly`; an object of options is `object`. */
function shortType(types: OptionTypes, node: ts.TypeNode): string {
  const parts = ts.isUnionTypeNode(node) ? [...node.types] : [node];
  const texts = parts.map((part) => textOf(types, part)).filter((text) => text !== 'undefined');
  const [first = ''] = texts;
  return texts.length === 1 ? first.replace(/^\((.*)\)$/, '$1') : [...new Set(texts)].join(' | ');
}

function textOf(types: OptionTypes, node: ts.TypeNode): string {
  if (ts.isTypeLiteralNode(node)) return 'object';
  const text = node.getText().replaceAll(/\s+/g, ' ').replaceAll('readonly ', '');
  if (/^\w+(Options|Rule)$|^Pick</.test(text)) return 'object';
  const plain = text.replace(/^Readonly<(.*)>$/, '$1');
  if (Object.hasOwn(SHOWN, plain)) return SHOWN[plain]!;
  const [, name = '', list] = /^(\w+)(\[\])?$/.exec(plain) ?? [];
  const words = types.wordsOf(name);
  if (words === undefined) return plain;
  return list === undefined ? words : `(${words})[]`;
}
