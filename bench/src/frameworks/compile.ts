import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

/** The frameworks beside Angular. */
export const FRAMEWORKS = ['react', 'vue', 'solid', 'svelte'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

// The compilers are loaded when they are used, and without their types: the rest of the benchmark has to run,
// and to be checked, where they are not installed.
const require = createRequire(import.meta.url);
/** Inside this package, so that its imports (`#frameworks/`) and dependencies are found. */
const build = join(import.meta.dirname, '../../build/frameworks');

type Compile = (source: string, file: string) => string;

interface Babel {
  transformSync(source: string, options: object): { readonly code: string };
}

interface VueCompiler {
  parse(source: string, options: object): { readonly descriptor: object };
  compileScript(descriptor: object, options: object): { readonly content: string };
}

interface SvelteCompiler {
  compile(source: string, options: object): { readonly js: { readonly code: string } };
}

interface TypeScript {
  readonly JsxEmit: { readonly ReactJSX: number };
  readonly ScriptTarget: { readonly ESNext: number };
  transpileModule(source: string, options: object): { readonly outputText: string };
}

function compileReact(source: string, fileName: string): string {
  const typescript = require('typescript') as TypeScript;
  const { JsxEmit, ScriptTarget } = typescript;
  const compilerOptions = { jsx: JsxEmit.ReactJSX, target: ScriptTarget.ESNext };
  return typescript.transpileModule(source, { compilerOptions, fileName }).outputText;
}

function compileSolid(source: string, filename: string): string {
  const preset = [require.resolve('babel-preset-solid'), { generate: 'ssr', hydratable: true }];
  const options = { filename, presets: [preset], babelrc: false, configFile: false };
  return (require('@babel/core') as Babel).transformSync(source, options).code;
}

function compileVue(source: string, filename: string): string {
  const { parse, compileScript } = require('vue/compiler-sfc') as VueCompiler;
  const { descriptor } = parse(source, { filename });
  const templateOptions = { ssr: true, ssrCssVars: [] };
  const options = { id: filename, inlineTemplate: true, isProd: true, templateOptions };
  return compileScript(descriptor, options).content;
}

function compileSvelte(source: string, filename: string): string {
  const { compile } = require('svelte/compiler') as SvelteCompiler;
  return compile(source, { generate: 'server', dev: false, filename }).js.code;
}

const COMPILERS: Readonly<Record<Framework, Readonly<Record<string, Compile>>>> = {
  react: { '.jsx': compileReact },
  vue: { '.vue': compileVue },
  solid: { '.jsx': compileSolid },
  svelte: { '.svelte': compileSvelte },
};

/**
 * Compiles a framework's pages for the server, as its own tools do for production.
 *
 * @returns the module whose `render` renders them.
 */
export function compileFramework(framework: Framework): string {
  const from = join(import.meta.dirname, framework);
  const to = join(build, framework);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const file = join(from, name);
    const compile = COMPILERS[framework][extname(name)] ?? ((source: string) => source);
    const code = compile(readFileSync(file, 'utf8'), file);
    writeFileSync(join(to, `${name.replace(/\.\w+$/, '')}.mjs`), linkCompiled(code));
  }
  return join(to, 'server.mjs');
}

/** Modules of a framework import each other by the names of their compiled files. */
function linkCompiled(code: string): string {
  return code.replace(/(from\s*['"]\.\/[\w-]+)\.(?:jsx|vue|svelte)(['"])/g, '$1.mjs$2');
}
