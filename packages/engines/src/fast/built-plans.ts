import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the Angular CLI writes beside the server bundle, also in builds that do not use it. */
const MANIFEST = 'angular-app-manifest.mjs';
/** A comment by which an author includes or excludes rules. Of rules in rules, Beasties then asks what no plan says. */
const DIRECTIVE = /\/\*\s*(?:beasties|critters):/;

/**
 * The plans of critical CSS that the build has made for the app engine: they name the selectors of the
 * stylesheets from which CommonEngine inlines critical CSS.
 *
 * @param serverFolder - Where `index.server.html` is.
 * @param publicPath - Where the stylesheets are.
 * @returns none if they are not those of these stylesheets.
 */
export async function readPlans(
  serverFolder: string,
  publicPath: string,
): Promise<readonly unknown[]> {
  const path = join(serverFolder, MANIFEST);
  if (!existsSync(path)) return [];
  try {
    const { default: manifest } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      default?: { criticalCssPlans?: readonly unknown[] };
    };
    const plans = manifest?.criticalCssPlans ?? [];
    const areBuilt = await Promise.all(plans.map((plan) => isOfFile(plan, publicPath)));
    return areBuilt.every(Boolean) ? plans : [];
  } catch {
    return [];
  }
}

/** Whether the stylesheet of a plan is in the folder, with the size that it had and nothing that plans do not tell. */
async function isOfFile(plan: unknown, publicPath: string): Promise<boolean> {
  const [, href, size] = plan as readonly unknown[];
  if (typeof href !== 'string') return false;
  const css = await readFile(join(publicPath, href), 'utf8');
  return css.length === size && !DIRECTIVE.test(css);
}
