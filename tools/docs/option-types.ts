import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The members that a type has as options, by name: several for a name that the parts of a union share. */
export type OptionMembers = ReadonlyMap<string, readonly ts.PropertySignature[]>;

/** The options that an option has itself. */
export interface NestedOptions {
  readonly members: OptionMembers;
  /** Whether the option is a record of them. */
  readonly byKey: boolean;
  /** Whether its type picks them from that of other options. */
  readonly isPicked: boolean;
}

/** Of options, and of the words that options take. */
const DECLARATIONS = /^export (interface|type) (\w+(Options|Rule)\b|\w+ = ')/m;

/** The exported interfaces and type aliases of the packages, by name. */
export class OptionTypes {
  readonly #declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();

  /** @param root - Of the repository. */
  constructor(root: string) {
    for (const file of globSync('packages/*/src/**/*.ts', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      if (!DECLARATIONS.test(text)) continue;
      for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
        .statements) {
        if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement))
          continue;
        this.#declarations.set(statement.name.text, statement);
      }
    }
  }

  /** The members of an interface itself, or of a type literal, a union, an alias or a Pick of these. */
  membersOf(type: string | ts.TypeNode): OptionMembers {
    const members = new Map<string, ts.PropertySignature[]>();
    const declaration = typeof type === 'string' ? this.#declarations.get(type) : undefined;
    if (typeof type === 'string' && declaration === undefined) throw new Error(`no type ${type}`);
    for (const member of this.#list(declaration ?? (type as ts.TypeNode))) {
      const name = member.name.getText();
      members.set(name, [...(members.get(name) ?? []), member]);
    }
    return members;
  }

  /** The options that an option has itself. */
  nestedIn(type: ts.TypeNode): NestedOptions {
    const value = this.#recordValue(type);
    const members = this.membersOf(value ?? type);
    return { members, byKey: value !== undefined, isPicked: this.#isPicked(type) };
  }

  /** The words of a type that is a union of texts, such as `ContentEncoding`. */
  wordsOf(name: string): string | undefined {
    const declaration = this.#declarations.get(name);
    if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration)) return undefined;
    const { type } = declaration;
    const isOfTexts = ts.isUnionTypeNode(type) && /^[|\s]*['`]/.test(type.getText());
    return isOfTexts ? type.types.map((each) => each.getText()).join(' | ') : undefined;
  }

  #list(node: ts.Node): readonly ts.PropertySignature[] {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
      return node.members.filter(ts.isPropertySignature);
    }
    if (ts.isTypeAliasDeclaration(node)) return this.#list(node.type);
    if (ts.isParenthesizedTypeNode(node)) return this.#list(node.type);
    if (ts.isUnionTypeNode(node)) return node.types.flatMap((each) => this.#list(each));
    // What follows only restricts it.
    if (ts.isIntersectionTypeNode(node)) return this.#list(node.types[0]!);
    if (!ts.isTypeReferenceNode(node)) return [];
    const name = node.typeName.getText();
    if (name === 'Pick') return this.#pick(node);
    const declaration = /(Options|Rule)$/.test(name) ? this.#declarations.get(name) : undefined;
    return declaration === undefined ? [] : this.#list(declaration);
  }

  #isPicked(type: ts.TypeNode): boolean {
    const parts = ts.isUnionTypeNode(type) ? type.types : [type];
    return parts.some((part) => {
      const declaration = this.#declarations.get(part.getText());
      if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration)) return false;
      return declaration.type.getText().startsWith('Pick<');
    });
  }

  #pick({ typeArguments }: ts.TypeReferenceNode): readonly ts.PropertySignature[] {
    const [from, names] = typeArguments!;
    const wanted = names!.getText();
    return this.#list(from!).filter(({ name }) => wanted.includes(`'${name.getText()}'`));
  }

  /** `Value` of `Readonly<Record<string, Value>>`, or of an alias or union with it. */
  #recordValue(node: ts.TypeNode): ts.TypeNode | undefined {
    if (ts.isUnionTypeNode(node)) {
      return node.types.map((each) => this.#recordValue(each)).find((found) => found !== undefined);
    }
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const name = node.typeName.getText();
    if (name === 'Readonly') return this.#recordValue(node.typeArguments![0]!);
    if (name === 'Record') return node.typeArguments![1];
    const declaration = this.#declarations.get(name);
    const isAlias = declaration !== undefined && ts.isTypeAliasDeclaration(declaration);
    return isAlias ? this.#recordValue(declaration.type) : undefined;
  }
}
