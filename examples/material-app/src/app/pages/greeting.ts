import { Component, inject, makeStateKey, REQUEST, TransferState } from '@angular/core';
import { RouterLink } from '@angular/router';
import { PageResponse } from '../server/page-response';
import { FiringNote } from '../shared/firing-note';
import { type Language, preferredLanguage } from '../shared/languages';

const LANGUAGE = makeStateKey<Language>('greeting.language');

const TEXTS: Record<
  Language,
  {
    readonly eyebrow: string;
    readonly heading: string;
    readonly lead: string;
    readonly link: string;
    readonly fired: readonly [string, string];
  }
> = {
  en: {
    eyebrow: 'Welcome',
    heading: 'Good day, and mind the wet clay',
    lead: 'We greet in English, German and French. Going by your browser, this is the one for you.',
    link: 'See what is on the shelf',
    fired: ['Fired as no.', 'at'],
  },
  de: {
    eyebrow: 'Willkommen',
    heading: 'Guten Tag, und Vorsicht, der Ton ist noch feucht',
    lead: 'Wir grüßen auf Deutsch, Englisch und Französisch. Ihrem Browser nach ist das hier Ihre Sprache.',
    link: 'Zum Regal',
    fired: ['Als Nr.', 'gebrannt um'],
  },
  fr: {
    eyebrow: 'Bienvenue',
    heading: 'Bonjour, et attention à l’argile fraîche',
    lead: 'Nous saluons en français, en anglais et en allemand. D’après votre navigateur, voici votre langue.',
    link: 'Voir les étagères',
    fired: ['Cuite sous le nº', 'à'],
  },
};

/** One page per language: its Vary says what it depends on, so each is stored by itself. */
@Component({
  selector: 'app-greeting',
  imports: [FiringNote, RouterLink],
  host: { class: 'page', '[attr.lang]': 'language' },
  template: `
    <p class="eyebrow">{{ text.eyebrow }}</p>
    <h1>{{ text.heading }}</h1>
    <p class="lead">
      {{ text.lead }} <a class="link" routerLink="/catalog">{{ text.link }}</a>
    </p>
    <app-firing-note [page]="'greeting-' + language" [words]="text.fired" />
  `,
  styles: `
    h1 {
      max-width: 20ch;
    }
  `,
})
export class GreetingPage {
  protected readonly language = this.greet();
  protected readonly text = TEXTS[this.language];

  private greet(): Language {
    const state = inject(TransferState);
    const request = inject(REQUEST, { optional: true });
    if (!request) {
      return state.get(LANGUAGE, null) ?? preferredLanguage(navigator.languages.join());
    }
    const language = preferredLanguage(request.headers.get('accept-language') ?? '');
    inject(PageResponse).set({
      headers: {
        'Cache-Control': 'public, max-age=0, s-maxage=60',
        'Content-Language': language,
        Vary: 'Accept-Language',
      },
    });
    state.set(LANGUAGE, language);
    return language;
  }
}
