import type ts from 'typescript';
import { typeScript } from '../typescript.ts';

/** A member of an object literal: its value, `absent` without it, undefined where it is computed. */
export type Member = ts.Expression | 'absent' | undefined;

/** Expressions by the names of their constants. */
export type Constants = ReadonlyMap<string, ts.Expression>;

/** The constants of a file's own statements, by their names. */
export function constants(source: ts.SourceFile): Constants {
  const api = typeScript();
  const found = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (api.isVariableDeclarationList(node) && (node.flags & api.NodeFlags.Const) !== 0) {
      for (const { name, initializer } of node.declarations) {
        if (!api.isIdentifier(name) || initializer === undefined) continue;
        // A name that several scopes have stands for none.
        if (found.has(name.text)) repeated.add(name.text);
        found.set(name.text, initializer);
      }
    }
    api.forEachChild(node, visit);
  };
  const repeated = new Set<string>();
  visit(source);
  for (const name of repeated) found.delete(name);
  return found;
}

/** An expression without its types and parentheses; of a constant, its value. */
export function valueOf(expression: ts.Expression, known: Constants): ts.Expression {
  const api = typeScript();
  let value = expression;
  for (let steps = 0; steps < 20; steps++) {
    if (
      api.isParenthesizedExpression(value) ||
      api.isAsExpression(value) ||
      api.isSatisfiesExpression(value) ||
      api.isNonNullExpression(value)
    ) {
      value = value.expression;
    } else if (api.isIdentifier(value) && known.has(value.text)) {
      value = known.get(value.text)!;
    } else break;
  }
  return value;
}

/** A member of an object. The last one of its name counts, and a spread of something computed may have any. */
export function memberOf(object: Member, name: string, known: Constants): Member {
  const api = typeScript();
  if (object === 'absent') return 'absent';
  if (object === undefined || !api.isObjectLiteralExpression(object)) return undefined;
  let found: Member = 'absent';
  for (const property of object.properties) {
    if (api.isSpreadAssignment(property)) {
      const spread = memberOf(valueOf(property.expression, known), name, known);
      if (spread !== 'absent') found = spread;
    } else if (property.name === undefined || api.isComputedPropertyName(property.name)) {
      found = undefined;
    } else if (property.name.text === name) {
      found = assigned(property, known);
    }
  }
  return found;
}

/** The text of a string without placeholders. */
export function textOf(value: Member): string | undefined {
  if (value === undefined || value === 'absent') return undefined;
  return typeScript().isStringLiteralLike(value) ? value.text : undefined;
}

function assigned(property: ts.ObjectLiteralElementLike, known: Constants): Member {
  const api = typeScript();
  const value = api.isPropertyAssignment(property)
    ? valueOf(property.initializer, known)
    : api.isShorthandPropertyAssignment(property)
      ? valueOf(property.name, known)
      : undefined;
  if (value === undefined) return undefined;
  return api.isIdentifier(value) && value.text === 'undefined' ? 'absent' : value;
}
