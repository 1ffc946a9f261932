import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { escapeHtml } from './escape-html.ts';

const LANGUAGES = [
  ...['ts', 'js', 'sh', 'json', 'jsonc', 'html', 'css', 'diff', 'http', 'sql'],
  ...['docker', 'ini', 'nginx', 'toml', 'yaml', 'xml'],
] as const;

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--' });
const highlighter = await createHighlighter({
  themes: [theme],
  langs: [...LANGUAGES],
  engine: createJavaScriptRegexEngine(),
});

/** Lines of code as HTML whose tokens have classes: a style attribute would be against the site's security policy. */
export function highlightLines(code: string, language: string): readonly string[] {
  if (!highlighter.getLoadedLanguages().includes(language)) return escapeHtml(code).split('\n');
  const { tokens } = highlighter.codeToTokens(code, { lang: language as 'ts', theme: 'classes' });
  return tokens.map((line) => line.map(toHtml).join(''));
}

/** The theme has `var(--token-keyword)` for a color, and `var(--foreground)` for plain text. */
function toHtml({ content, color = '' }: ThemedToken): string {
  const text = escapeHtml(content);
  const kind = /^var\(--token-([\w-]+)\)$/.exec(color)?.[1];
  return kind === undefined || content.trim() === ''
    ? text
    : `<span class="${kind}">${text}</span>`;
}
