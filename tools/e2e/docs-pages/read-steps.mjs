import { readCodeBlocks } from '../../docs/code-blocks/read-code-blocks.ts';

/** The name of a file in the first line of its block, which is a comment: `// src/server.ts`. */
const FILE_NAME = /^(?:\/\/|#) ((?:[\w.-]+\/)*[\w.-]+\.\w+)(?:$|:)/;

/**
 * What a page of the documentation tells its reader to do, in order: files to write, and commands to run.
 *
 * A block whose first line names a file is that file. A block in `sh` is commands, one a line; a block `text` right
 * after it is their output. Blocks before the first command or file, and in other languages, are only shown.
 *
 * @returns For files `{ path, text }`, for commands `{ commands, expected }`, each with its `line` of the page.
 */
export function readSteps(page, markdown) {
  const steps = [];
  for (const { language, code, line } of readCodeBlocks(page, markdown)) {
    const [, path] = FILE_NAME.exec(code.split('\n', 1)[0]) ?? [];
    if (path !== undefined) steps.push({ line, path, text: `${code}\n` });
    else if (language === 'sh') steps.push({ line, commands: commandsOf(code) });
    else if (language === 'text') expectOf(steps, page, line).expected = code;
  }
  return steps;
}

function commandsOf(code) {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function expectOf(steps, page, line) {
  const last = steps.at(-1);
  if (last?.commands !== undefined && last.expected === undefined) return last;
  throw new Error(`${page}:${line}: the output has no commands before it`);
}
