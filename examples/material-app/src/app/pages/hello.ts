import { Component, inject, makeStateKey, REQUEST, TransferState } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { PageResponse } from '../server/page-response';

interface Visitor {
  readonly name: string;
  readonly agent: string;
  readonly returning: boolean;
}

const VISITOR = makeStateKey<Visitor>('hello.visitor');

/** Reads the request (query, cookie, user agent) and answers with a header and a cookie. */
@Component({
  selector: 'app-hello',
  imports: [MatButton, MatFormField, MatInput, MatLabel],
  host: { class: 'page' },
  template: `
    <p class="eyebrow">{{ visitor.returning ? 'Welcome back' : 'Welcome' }}</p>
    <h1>Hello, {{ visitor.name }}</h1>
    <p class="lead">
      The kettle is on. You came with <b>{{ visitor.agent }}</b>, and we will remember that you have
      been here.
    </p>
    <form action="/hello" method="get">
      <mat-form-field appearance="outline">
        <mat-label>What should we call you?</mat-label>
        <input matInput name="name" autocomplete="given-name" maxlength="40" />
      </mat-form-field>
      <button matButton="filled" type="submit">Say hello</button>
    </form>
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
    button {
      --mat-button-filled-container-height: 56px;
    }
  `,
})
export class HelloPage {
  protected readonly visitor = this.greet();

  private greet(): Visitor {
    const state = inject(TransferState);
    const request = inject(REQUEST, { optional: true });
    if (!request)
      return state.get(VISITOR, { name: 'stranger', agent: 'a browser', returning: false });

    const name = new URL(request.url).searchParams.get('name')?.slice(0, 40) || 'stranger';
    const visitor: Visitor = {
      name,
      agent: browserName(request.headers.get('user-agent') ?? ''),
      returning: /(?:^|;\s*)greeted=1(?:;|$)/.test(request.headers.get('cookie') ?? ''),
    };
    inject(PageResponse).set({
      headers: {
        'X-Greeting': `hello ${encodeURIComponent(name)}`,
        'Set-Cookie': 'greeted=1; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax',
        'Cache-Control': 'private, no-store',
      },
    });
    state.set(VISITOR, visitor);
    return visitor;
  }
}

function browserName(agent: string): string {
  const names: readonly (readonly [RegExp, string])[] = [
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
    [/curl\//, 'curl'],
  ];
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? 'something we do not know';
}
