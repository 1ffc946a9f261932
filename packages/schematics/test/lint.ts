import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const eslint = new ESLint({
  overrideConfigFile: true,
  baseConfig: [...tseslint.configs.recommended, ...tseslint.configs.stylistic] as never,
});

/** What `ng add angular-eslint` sets up for a server.ts: its rules there are those of typescript-eslint. */
export async function lint(text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: 'server.ts' });
  return result!.messages.map(({ line, ruleId, message }) => `${line}: ${ruleId} ${message}`);
}
