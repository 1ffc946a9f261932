/** A command with its arguments, without the variables before it. */
export type ShellCommand = readonly string[];

/** A text in quotes, an operator, a comment to the end of its line, or a word. */
const TOKENS =
  /"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|&&|\|\||[|;\n]|(?<=^|\s)#.*|(?:[^\s"'|;&$]|\$(?!\()|&(?!&))+/g;
const SEPARATORS: ReadonlySet<string> = new Set(['&&', '||', '|', ';', '\n']);

/** The commands of a shell script of one kind: simple commands, in lists and pipes. */
export function shellCommands(code: string): ShellCommand[] {
  const commands: string[][] = [[]];
  let end = -1;
  for (const { 0: token, index } of code.replaceAll('\\\n', '  ').matchAll(TOKENS)) {
    const command = commands.at(-1)!;
    if (SEPARATORS.has(token)) commands.push([]);
    else if (index === end) command[command.length - 1] += unquote(token);
    else if (!token.startsWith('#')) command.push(unquote(token));
    end = SEPARATORS.has(token) ? -1 : index + token.length;
  }
  return commands.map(withoutPrefix).filter((command) => command.length > 0);
}

function unquote(token: string): string {
  return /^["']/.test(token) ? token.slice(1, -1) : token;
}

function withoutPrefix(command: readonly string[]): ShellCommand {
  const first = command.findIndex((word) => word !== 'sudo' && !/^[A-Za-z_]\w*=/.test(word));
  return first === -1 ? [] : command.slice(first);
}
