import type ts from 'typescript';
import { typeScript } from '../typescript.ts';
import { type Constants, type Member, memberOf, valueOf } from './literal-values.ts';

/** The variable of an inspector without a token of its own. */
const INSPECTOR_VARIABLE = 'NG_SSR_TOKEN';

/**
 * The environment variables that a server takes its tokens from, and does not start without: of the inspector, the
 * purge endpoint and the edge. An expression with a default value needs none.
 *
 * @param options - Of the server.
 */
export function tokenVariables(options: Member, known: Constants): readonly string[] {
  const calls = callsIn(memberOf(options, 'features', known), known);
  const names = calls.flatMap((call) => ofFeature(call, known));
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The calls in a list, and in lists that are spread into it. */
function callsIn(list: Member, known: Constants): readonly ts.CallExpression[] {
  const api = typeScript();
  if (list === undefined || list === 'absent' || !api.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((element) => {
    if (api.isSpreadElement(element)) return callsIn(valueOf(element.expression, known), known);
    const value = valueOf(element, known);
    return api.isCallExpression(value) ? [value] : [];
  });
}

/** Of `withInspector()`, `withPurgeEndpoint({ token: process.env['PURGE_TOKEN'] })` or `withEdge(...)`. */
function ofFeature(
  call: ts.CallExpression,
  known: Constants,
): string | undefined | readonly (string | undefined)[] {
  const feature = call.expression.getText();
  const [options] = call.arguments;
  if (feature === 'withEdge') return options && ofEdge(valueOf(options, known), known);
  if (feature !== 'withInspector' && feature !== 'withPurgeEndpoint') return undefined;
  const byDefault = feature === 'withInspector' ? INSPECTOR_VARIABLE : undefined;
  if (options === undefined) return byDefault;
  const token = memberOf(valueOf(options, known), 'token', known);
  return token === 'absent' ? byDefault : variableIn(token, known);
}

/** Of `fastlyEdge({ serviceId: process.env['SERVICE_ID'], token: process.env['FASTLY_TOKEN'] })`: all its variables. */
function ofEdge(edge: ts.Expression, known: Constants): readonly (string | undefined)[] {
  const api = typeScript();
  if (!api.isCallExpression(edge)) return [];
  const [options] = edge.arguments;
  const object = options && valueOf(options, known);
  if (object === undefined || !api.isObjectLiteralExpression(object)) return [];
  return object.properties.map(({ name }) =>
    name !== undefined && !api.isComputedPropertyName(name)
      ? variableIn(memberOf(object, name.text, known), known)
      : undefined,
  );
}

/** The name in `process.env['NAME']` or `process.env.NAME`. */
function variableIn(value: Member, known: Constants): string | undefined {
  if (value === undefined || value === 'absent') return undefined;
  const read = valueOf(value, known);
  const name = memberRead(read);
  // It is written to files and commands of several languages.
  return name !== undefined && /^\w+$/.test(name) ? name : undefined;
}

function memberRead(read: ts.Expression): string | undefined {
  const api = typeScript();
  if (api.isPropertyAccessExpression(read)) {
    return isEnvironment(read.expression) ? read.name.text : undefined;
  }
  if (!api.isElementAccessExpression(read) || !isEnvironment(read.expression)) return undefined;
  const { argumentExpression: name } = read;
  return api.isStringLiteralLike(name) ? name.text : undefined;
}

function isEnvironment(expression: ts.Expression): boolean {
  return /^process\s*\.\s*env$/.test(expression.getText());
}
