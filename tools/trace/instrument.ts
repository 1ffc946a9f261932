import ts from 'typescript';

/** The global name under which built code finds the recorder. */
export const RECORDER = '__ngSsrTrace';

/** A function's call, in the code of that function. */
const FRAME = '__ngSsrTraceFrame';

/** Text to insert. */
interface Insertion {
  readonly position: number;
  readonly text: string;
  /** An end goes before what begins at the same position. */
  readonly isEnd: boolean;
}

/**
 * Puts probes into the code of a module: at the beginning and the end of every function, around every
 * `await` and `yield`, and where an error is caught. Lines keep their numbers.
 *
 * @param toPlace - Gives a function's name a number, which the probe at its beginning passes on.
 */
export function instrument(code: string, toPlace: (name: string) => number): string {
  const source = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true);
  const insertions: Insertion[] = [];
  const begin = (position: number, text: string): void =>
    void insertions.push({ position, text, isEnd: false });
  const end = (position: number, text: string): void =>
    void insertions.push({ position, text, isEnd: true });

  const visit = (node: ts.Node, isInFunction: boolean): void => {
    const close = isInFunction || isWithBody(node) ? probe(node) : undefined;
    ts.forEachChild(node, (child) => visit(child, isInFunction || isWithBody(node)));
    close?.();
  };

  /** Inserts what stands in front of a node's parts, and returns what inserts the rest. */
  const probe = (node: ts.Node): (() => void) | undefined => {
    if (isWithBody(node)) return probeFunction(node);
    if (ts.isAwaitExpression(node)) return probePause(node, node.expression);
    if (ts.isYieldExpression(node) && !node.asteriskToken) return probePause(node, node.expression);
    if (ts.isForOfStatement(node) && node.awaitModifier) return probeLoop(node);
    if (ts.isCatchClause(node)) begin(node.block.getStart() + 1, ` ${call('at')});`);
    if (ts.isTryStatement(node) && node.finallyBlock) {
      begin(node.finallyBlock.getStart() + 1, ` ${call('at')});`);
    }
    return undefined;
  };

  const probeFunction = (node: WithBody): (() => void) => {
    const { body } = node;
    const place = toPlace(nameOf(node));
    const entry = `const ${FRAME} = globalThis.${RECORDER}.enter(${place}); try {`;
    const exit = `} finally { ${call('exit')}); }`;
    if (!ts.isBlock(body)) {
      begin(body.getStart(), `{ ${entry} return (`);
      return () => end(body.getEnd(), `); ${exit} }`);
    }
    begin(body.getStart() + 1, ` ${entry}`);
    return () => {
      if (body.statements.length === 0) begin(body.getEnd() - 1, exit);
      else end(body.getEnd() - 1, exit);
    };
  };

  const probePause = (node: ts.Node, value: ts.Expression | undefined): (() => void) => {
    begin(node.getStart(), `${call('resume')}, `);
    if (value === undefined) return () => end(node.getEnd(), ` ${call('suspend')}))`);
    begin(value.getStart(), `${call('suspend')}, `);
    return () => end(node.getEnd(), '))');
  };

  const probeLoop = (node: ts.ForOfStatement): (() => void) => {
    begin(node.expression.getStart(), `${call('iterate')}, `);
    const { statement } = node;
    const isBlock = ts.isBlock(statement);
    begin(statement.getStart() + (isBlock ? 1 : 0), `${isBlock ? '' : '{'} ${call('at')});`);
    return () => {
      if (!isBlock) end(statement.getEnd(), ' }');
      end(node.expression.getEnd(), ')');
      end(node.getEnd(), ` ${call('at')});`);
    };
  };

  visit(source, false);
  return applied(code, insertions);
}

function call(method: string): string {
  return `globalThis.${RECORDER}.${method}(${FRAME}`;
}

/** A stable sort keeps the outer one of two beginnings, and the inner one of two ends, first. */
function applied(code: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted(
    (a, b) => a.position - b.position || Number(b.isEnd) - Number(a.isEnd),
  );
  let written = 0;
  let text = '';
  for (const insertion of sorted) {
    text += code.slice(written, insertion.position) + insertion.text;
    written = insertion.position;
  }
  return text + code.slice(written);
}

type WithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

function isWithBody(node: ts.Node): node is WithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** `Class.method`, a function's own name, or whose callback it is. */
function nameOf(node: ts.Node): string {
  const { parent } = node;
  if (ts.isConstructorDeclaration(node)) return `new ${classOf(node)}`;
  if (ts.isGetAccessor(node)) return `get ${classOf(node)}.${textOf(node.name)}`;
  if (ts.isClassElement(node)) return `${classOf(node)}.${textOf(node.name)}`;
  const { name } = node as ts.NamedDeclaration;
  if (name !== undefined) return textOf(name);
  if (ts.isPropertyDeclaration(parent)) return `${classOf(parent)}.${textOf(parent.name)}`;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) {
    return textOf(parent.name);
  }
  const around = ts.findAncestor(parent, isWithBody);
  return around === undefined ? 'callback' : `callback of ${nameOf(around)}`;
}

function classOf({ parent }: ts.Node): string {
  return ts.isClassLike(parent) ? textOf(parent.name) : 'object';
}

function textOf(name: ts.Node | undefined): string {
  return name?.getText() ?? 'class';
}
