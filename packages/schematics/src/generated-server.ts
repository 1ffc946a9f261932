import { adapters } from './adapters.ts';
import { withoutProbes } from './deploy/probes-edit.ts';
import { serverText } from './server-text.ts';
import { shapeOf } from './shape.ts';

let shapes: ReadonlySet<string> | undefined;

/** Whether a server.ts is as `ng add` and `deploy` of some adapter wrote it, apart from formatting. */
export function isGenerated(text: string): boolean {
  shapes ??= new Set(everyText().map(shapeOf));
  return shapes.has(shapeOf(withoutProbes(text)));
}

/** The adapters' servers in every shape that they can have in a project. */
function everyText(): string[] {
  const hosts = [true, false];
  return adapters.flatMap(({ packageName, frameworks }) =>
    Object.values(frameworks).flatMap((framework) =>
      (['app', 'common'] as const).flatMap((engine) =>
        hosts.flatMap((hasHosts) =>
          [undefined, 'public'].map((browserFolder) =>
            serverText({
              packageName,
              framework,
              engine,
              hasHosts,
              browserFolder,
              bootstrapImport: `import bootstrap from './main.server';`,
            }),
          ),
        ),
      ),
    ),
  );
}
