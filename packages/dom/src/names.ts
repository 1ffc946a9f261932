import { HTML } from './node-types.ts';
import type {
  AttributeEffect,
  AttributeKind,
  NameJudge,
  QualifiedName,
  TreeNames,
} from './shapes.ts';

/** Names kept per kind; a page has some dozens, and an application that makes up names starts again. */
const MOST_NAMES = 4096;

function effectOf(name: string): AttributeEffect {
  if (name === 'id' || name === 'class') return name;
  return name.startsWith('on') ? 'handler' : 'none';
}

export function toLower(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}

function attributeKind(name: string): AttributeKind {
  const lower = toLower(name);
  const kind: { name: string; effect: AttributeEffect; lower: AttributeKind | null } = {
    name,
    effect: effectOf(name),
    lower: null,
  };
  kind.lower = lower === name ? (kind as AttributeKind) : attributeKind(lower);
  return kind as AttributeKind;
}

function remember<K, V>(known: Map<K, V>, key: K, value: V): V {
  if (known.size >= MOST_NAMES) known.clear();
  known.set(key, value);
  return value;
}

/** Names that Angular's DOM found to be valid: each is judged once. */
export class Names implements TreeNames {
  readonly #judge: NameJudge;
  readonly #attributes = new Map<string, AttributeKind>();
  readonly #any = new Map<string, AttributeKind>();
  readonly #qualified = new Map<string | null, Map<string, QualifiedName>>();
  readonly #upper = new Map<string, string>();

  constructor(judge: NameJudge) {
    this.#judge = judge;
  }

  /** @throws InvalidCharacterError for what is no Name (XML 1.0, 2.3). */
  attribute(name: string): AttributeKind {
    const known = this.#attributes.get(name);
    if (known !== undefined) return known;
    this.#judge.createAttribute(name);
    return remember(this.#attributes, name, attributeKind(name));
  }

  /** The same without a check: a look-up or a removal takes any name. */
  anyAttribute(name: string): AttributeKind {
    return this.#any.get(name) ?? remember(this.#any, name, attributeKind(name));
  }

  /** @throws InvalidCharacterError, NamespaceError. DOM standard, "validate and extract". */
  qualified(namespaceURI: string | null, name: string): QualifiedName {
    const inNamespace =
      this.#qualified.get(namespaceURI) ??
      remember(this.#qualified, namespaceURI, new Map<string, QualifiedName>());
    const known = inNamespace.get(name);
    if (known !== undefined) return known;
    const { localName, prefix } = this.#judge.createAttributeNS(namespaceURI, name);
    return remember(inNamespace, name, { localName, prefix });
  }

  /** The tag name of an HTML element: ASCII letters in upper case. */
  upper(name: string): string {
    return (
      this.#upper.get(name) ??
      remember(
        this.#upper,
        name,
        name.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
      )
    );
  }
}

export function isHtml(namespaceURI: string | null): boolean {
  return namespaceURI === HTML;
}
