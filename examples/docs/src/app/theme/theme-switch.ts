import { Component, DOCUMENT, inject } from '@angular/core';

/** Dark or light; without a choice, as the reader's system is. index.html applies a choice before the first paint. */
@Component({
  selector: 'app-theme-switch',
  template: `
    <button
      type="button"
      class="theme"
      aria-label="Switch between dark and light colors"
      (click)="toggle()"
    ></button>
  `,
})
export class ThemeSwitch {
  readonly #root = inject(DOCUMENT).documentElement;

  protected toggle(): void {
    const shown = this.#root.dataset['theme'];
    const isDark = shown ? shown === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const theme = isDark ? 'light' : 'dark';
    this.#root.dataset['theme'] = theme;
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // Without storage the choice lasts for this document.
    }
  }
}
