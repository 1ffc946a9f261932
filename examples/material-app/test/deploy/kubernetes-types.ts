import { join } from 'node:path';
import ts from 'typescript';

/** The modules of kubernetes-types, which are made of the OpenAPI schema of Kubernetes. */
const MODULES: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

/** What the types of the Kubernetes API say against objects, names that they do not have included. */
export function typeErrorsOf(objects: readonly { readonly kind: string }[]): string[] {
  const lines = objects.map(
    (object, index) =>
      `const object${index}: import('kubernetes-types/${MODULES[object.kind]}').${object.kind} = ${JSON.stringify(object)};`,
  );
  const file = join(import.meta.dirname, 'kubernetes-objects.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
    lib: ['lib.es2022.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, `${lines.join('\n')}\nexport {};\n`, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
