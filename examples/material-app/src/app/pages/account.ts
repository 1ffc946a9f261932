import { Component, DOCUMENT, inject, makeStateKey, REQUEST, TransferState } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { PageResponse } from '../server/page-response';
import { FiringNote } from '../shared/firing-note';

/** The name in the cookie `user`; empty without one. */
const USER = makeStateKey<string>('account.user');

/** Greets the user of the cookie `user`: a page of one person, which must not be stored. */
@Component({
  selector: 'app-account',
  imports: [FiringNote, MatButton, MatFormField, MatInput, MatLabel],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">Account</p>
    @if (user) {
      <h1>Good to see you, {{ user }}</h1>
      <p class="lead">
        This page is yours alone: it is drawn for you at each visit, and nobody keeps a copy.
      </p>
    } @else {
      <h1>Who is at the door?</h1>
      <p class="lead">There is no password. Tell us your name, and we take your word for it.</p>
    }
    <form (submit)="signIn($event, user ? '' : name.value)">
      <mat-form-field appearance="outline" [hidden]="user">
        <mat-label>Your name</mat-label>
        <input matInput autocomplete="given-name" maxlength="40" #name />
      </mat-form-field>
      <button matButton="filled" type="submit">{{ user ? 'Sign out' : 'Sign in' }}</button>
    </form>
    <app-firing-note page="account" />
  `,
  styles: `
    form {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 16px;
      align-items: flex-start;
      margin-top: 36px;
    }
    mat-form-field {
      flex: 0 1 340px;
    }
    mat-form-field[hidden] {
      display: none;
    }
    button {
      --mat-button-filled-container-height: 56px;
    }
  `,
})
export class AccountPage {
  private readonly document = inject(DOCUMENT);
  protected readonly user = this.readUser();

  /** Keeps the name in the cookie, or forgets it, and asks the server for the page again. */
  protected signIn(event: Event, name: string): void {
    event.preventDefault();
    const lifetime = name.trim() ? 86_400 : 0;
    const value = encodeURIComponent(name.trim());
    this.document.cookie = `user=${value}; Path=/; Max-Age=${lifetime}; SameSite=Lax`;
    this.document.location.reload();
  }

  private readUser(): string {
    const state = inject(TransferState);
    const request = inject(REQUEST, { optional: true });
    if (!request) return state.get(USER, null) ?? userOf(this.document.cookie);

    inject(PageResponse).set({ headers: { 'Cache-Control': 'private, no-store' } });
    const user = userOf(request.headers.get('cookie') ?? '');
    state.set(USER, user);
    return user;
  }
}

function userOf(cookies: string): string {
  const value = /(?:^|;\s*)user=([^;]*)/.exec(cookies)?.[1] ?? '';
  try {
    return decodeURIComponent(value).slice(0, 40);
  } catch {
    return '';
  }
}
