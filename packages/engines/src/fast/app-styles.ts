import { reportMissing } from '../angular-internals.ts';
import { type FastServerApp, readCriticalCss } from './angular-hooks.ts';
import { PageStyles } from './page-styles.ts';

/** The stylesheets of the applications of one engine: each locale has its own, and `ng serve` makes new ones. */
export class AppStyles {
  readonly #ofApps = new WeakMap<FastServerApp, PageStyles>();

  /** @returns undefined if the application inlines critical CSS in an unknown way. */
  of(app: FastServerApp): PageStyles | undefined {
    let styles = this.#ofApps.get(app);
    if (styles === undefined) {
      const critical = readCriticalCss(app);
      if (critical === undefined) {
        reportMissing('AngularServerApp#inlineCriticalCss');
        return undefined;
      }
      styles = new PageStyles(critical);
      this.#ofApps.set(app, styles);
    }
    return styles;
  }
}
