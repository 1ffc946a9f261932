/** The tabs that readers choose from, with their labels. */
export const TABS: Readonly<Record<string, string>> = {
  express: 'Express',
  node: 'node:http',
  koa: 'Koa',
  fastify: 'Fastify',
  hono: 'Hono',
  h3: 'h3',
  elysia: 'Elysia',
  bun: 'Bun',
  deno: 'Deno',
};

/** A fenced block: ` ```ts koa ` with code whose first line may name its file, `// src/server.ts`. */
export interface Fence {
  /** Of the file for a diff. */
  readonly language: string;
  /** A key of {@link TABS}. Consecutive blocks with tabs are alternatives. */
  readonly tab: string | undefined;
  /** `src/server.ts`, perhaps with a remark: `src/server.ts: the last lines`. */
  readonly title: string | undefined;
  /** Whether the first line is the title. */
  readonly hasTitleLine: boolean;
  readonly isDiff: boolean;
  readonly lines: readonly FenceLine[];
}

/** Without the mark of a diff. */
export interface FenceLine {
  readonly text: string;
  readonly change: 'added' | 'removed' | undefined;
}

const TITLE_LINE = /^ ?(?:\/\/|#|<!--) ((?:[\w.-]+\/)*[\w-][\w.-]*\.([a-z]+)(?:: .+?)?)(?: -->)?$/;
const FILE = /^[\w./-]+\.\w+$/;
const CHANGES: Readonly<Record<string, FenceLine['change']>> = { '+': 'added', '-': 'removed' };

/**
 * @param info - What follows the backticks: the language, a tab, and for JSON the file.
 * @throws Error for a word that is neither a tab nor a file.
 */
export function readFence(info: string, code: string): Fence {
  const [language = '', ...words] = info.trim().split(/\s+/);
  const tab = words.find((word) => Object.hasOwn(TABS, word));
  const file = words.find((word) => FILE.test(word));
  const unknown = words.find((word) => word !== tab && word !== file);
  if (unknown !== undefined) throw new Error(`"${unknown}" in "${info}" is not a tab or a file`);
  const isDiff = language === 'diff';
  const lines = code.split('\n');
  const [, titleLine, extension] = TITLE_LINE.exec(lines[0]!) ?? [];
  return {
    language: isDiff ? (extension ?? file?.split('.').at(-1) ?? 'text') : language,
    tab,
    title: file ?? titleLine,
    hasTitleLine: file === undefined && titleLine !== undefined,
    isDiff,
    lines: lines.map((text) => (isDiff ? toLine(text) : { text, change: undefined })),
  };
}

function toLine(line: string): FenceLine {
  return { text: line.replace(/^[ +-]/, ''), change: CHANGES[line[0] ?? ''] };
}
