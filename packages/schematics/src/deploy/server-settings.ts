import type ts from 'typescript';
import {
  type Constants,
  constants,
  type Member,
  memberOf,
  textOf,
  valueOf,
} from './literal-values.ts';
import { callsIn, parseSource, typeScript } from '../typescript.ts';
import type { MetricsPlace, ProbePaths } from './deployment.ts';
import { tokenVariables } from './token-variables.ts';

/** What server.ts says of its server. */
export interface ServerSettings {
  /** The paths of the option `probes`; `none` without the option. */
  readonly probes: ProbePaths | 'none';
  readonly port: number;
  /** Where it answers with the metrics of ng-ssr. */
  readonly metrics: MetricsPlace | undefined;
  /** Environment variables with tokens, which it does not start without. */
  readonly tokens: readonly string[];
  /** What is there, but not written out: it is not known before the server runs. */
  readonly computed: readonly ('probes' | 'probes.live' | 'probes.ready' | 'port')[];
}

/** Node's adapters listen here, unless PORT or `listen({ port })` says otherwise. */
const DEFAULT_PORT = 4000;

/** The functions whose first argument has the options of a server. */
const CREATES = /^(create\w+Ssr(Server|Handler)|ssrMiddleware)$/;
/** Fastify's, whose options are the second argument of `register`. */
const PLUGIN = 'ssrPlugin';
/** Of a server without probes, or with others than are known. */
export const NO_PATHS: ProbePaths = { live: undefined, ready: undefined };
const PROMETHEUS = /^@ng-ssr\/[\w-]+\/prometheus$/;

/** Reads the syntax tree: what comments and texts say is no setting. */
export function readServerSettings(text: string): ServerSettings {
  const source = parseSource(text);
  const calls = callsIn(source);
  const known = constants(source);
  const created = calls.flatMap(createdBy);
  const probes = probesOf(created, known);
  const port = portOf(calls, known);
  return {
    probes: probes.paths,
    port: port ?? DEFAULT_PORT,
    tokens: tokenVariables(optionsOf(created, known), known),
    metrics: metricsOf(source, calls, known, port ?? DEFAULT_PORT),
    computed: [...probes.computed, ...(port === undefined ? (['port'] as const) : [])],
  };
}

/** The object of a server's options, where it stands in the call that creates the only server. */
export function optionsIn(text: string): ts.ObjectLiteralExpression | undefined {
  const created = callsIn(parseSource(text)).flatMap(createdBy);
  const options = created.length === 1 ? created[0]!.options : undefined;
  return options !== undefined && typeScript().isObjectLiteralExpression(options)
    ? options
    : undefined;
}

interface Created {
  readonly options: ts.Expression | undefined;
}

/** The server that a call creates: `createKoaSsrServer(options)`, or `app.register(ssrPlugin, options)`. */
function createdBy(call: ts.CallExpression): Created[] {
  const [first, second] = call.arguments;
  if (CREATES.test(nameOf(call))) return [{ options: first }];
  const isPlugin = nameOf(call) === 'register' && first?.getText() === PLUGIN;
  return isPlugin ? [{ options: second }] : [];
}

/** The options of the only server. */
function optionsOf(created: readonly Created[], known: Constants): Member {
  if (created.length !== 1) return undefined;
  const { options } = created[0]!;
  return options === undefined ? 'absent' : valueOf(options, known);
}

function probesOf(
  created: readonly Created[],
  known: Constants,
): { readonly paths: ServerSettings['probes']; readonly computed: ServerSettings['computed'] } {
  const unknown = { paths: NO_PATHS, computed: ['probes'] as const };
  const probes = memberOf(optionsOf(created, known), 'probes', known);
  if (probes === 'absent') return { paths: 'none', computed: [] };
  if (probes === undefined || !typeScript().isObjectLiteralExpression(probes)) return unknown;
  const live = memberOf(probes, 'live', known);
  const ready = memberOf(probes, 'ready', known);
  const paths = {
    live: textOf(live),
    ready: textOf(ready) ?? textOf(memberOf(ready, 'path', known)),
  };
  const isComputed = { live: live !== 'absent', ready: ready !== 'absent' };
  return {
    paths,
    computed: (['live', 'ready'] as const)
      .filter((name) => paths[name] === undefined && isComputed[name])
      .map((name) => `probes.${name}` as const),
  };
}

/** Of `listen({ port })`, `listen(port)` and `serve({ port })`: those of the server, and not of another one beside it. */
function portOf(calls: readonly ts.CallExpression[], known: Constants): number | undefined {
  const listening = calls.filter((call) => /^(listen|serve)$/.test(nameOf(call)));
  const own = listening.filter((call) => isCreated(receiverOf(call), known));
  const ports = (own.length > 0 ? own : listening).map((call) => portOfCall(call, known));
  const different = new Set(ports.length === 0 ? [DEFAULT_PORT] : ports);
  return different.size === 1 ? [...different][0] : undefined;
}

function isCreated(receiver: ts.Expression | undefined, known: Constants): boolean {
  const api = typeScript();
  const value = receiver && valueOf(receiver, known);
  return value !== undefined && api.isCallExpression(value) && CREATES.test(nameOf(value));
}

/** The object of a method that is called. */
function receiverOf({ expression }: ts.CallExpression): ts.Expression | undefined {
  return typeScript().isPropertyAccessExpression(expression) ? expression.expression : undefined;
}

function portOfCall(call: ts.CallExpression, known: Constants): number | undefined {
  const api = typeScript();
  const values = call.arguments.map((argument) => valueOf(argument, known));
  for (const value of values) {
    if (!api.isObjectLiteralExpression(value)) continue;
    const port = memberOf(value, 'port', known);
    if (port !== 'absent') return port && numberIn(port);
  }
  const [first] = values;
  if (first === undefined || api.isObjectLiteralExpression(first)) return DEFAULT_PORT;
  return numberIn(first);
}

/** A number; of an expression with the variable PORT, which the files set, the number that it has without it. */
function numberIn(value: ts.Expression): number | undefined {
  const api = typeScript();
  if (api.isNumericLiteral(value)) return Number(value.text) || undefined;
  if (!/\bprocess\.env(\.PORT\b|\[(['"`])PORT\2\])/.test(value.getText())) return undefined;
  const numbers: number[] = [];
  const visit = (node: ts.Node): void => {
    if (api.isNumericLiteral(node) || api.isStringLiteral(node)) numbers.push(Number(node.text));
    api.forEachChild(node, visit);
  };
  visit(value);
  return numbers.find((number) => number > 0) ?? DEFAULT_PORT;
}

/** Of the call of `register.metrics()`: on a route of the server, or on a server of its own. */
function metricsOf(
  source: ts.SourceFile,
  calls: readonly ts.CallExpression[],
  known: Constants,
  port: number,
): MetricsPlace | undefined {
  const read = calls.find((call) => nameOf(call) === 'metrics' && call.arguments.length === 0);
  if (read === undefined || !importsMetrics(source)) return undefined;
  const api = typeScript();
  for (let node: ts.Node = read; node !== source; node = node.parent) {
    if (api.isCallExpression(node)) {
      const [first] = node.arguments;
      const path = first && textOf(valueOf(first, known));
      if (path?.startsWith('/') === true) return { port, path };
    }
    if (!api.isVariableDeclaration(node) || !api.isIdentifier(node.name)) continue;
    const { text: name } = node.name;
    const listening = calls.find(
      (call) => nameOf(call) === 'listen' && receiverOf(call)?.getText() === name,
    );
    const own = listening && portOfCall(listening, known);
    return own === undefined ? undefined : { port: own, path: '/metrics' };
  }
  return undefined;
}

function importsMetrics(source: ts.SourceFile): boolean {
  const api = typeScript();
  return source.statements.some(
    (one) =>
      api.isImportDeclaration(one) &&
      api.isStringLiteral(one.moduleSpecifier) &&
      PROMETHEUS.test(one.moduleSpecifier.text),
  );
}

/** The name of what is called: `listen` of `server.listen()`. */
function nameOf({ expression }: ts.CallExpression): string {
  const api = typeScript();
  if (api.isIdentifier(expression)) return expression.text;
  return api.isPropertyAccessExpression(expression) ? expression.name.text : '';
}
