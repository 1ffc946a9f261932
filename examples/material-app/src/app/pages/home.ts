import { Component, inject, signal } from '@angular/core';
import { NonNullableFormBuilder, ReactiveFormsModule, Validators } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { MatError, MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';

/** The page the benchmarks measure: a small Material form, two fields and a button. */
@Component({
  selector: 'app-home',
  imports: [MatButton, MatError, MatFormField, MatInput, MatLabel, ReactiveFormsModule],
  host: { class: 'page' },
  template: `
    <section>
      <p class="eyebrow">Opening the kiln, first of the month</p>
      <h1>Stoneware, made slowly</h1>
      <p class="lead">Each firing sells out in a day. Leave your name and we will write first.</p>

      @if (welcomed(); as name) {
        <p class="welcome" role="status">
          Thank you, {{ name }}. You are on the list: we will write when the kiln is cool.
        </p>
      } @else {
        <form [formGroup]="form" (ngSubmit)="join()">
          <mat-form-field appearance="outline">
            <mat-label>Name</mat-label>
            <input matInput formControlName="name" autocomplete="name" />
            <mat-error>Please tell us your name</mat-error>
          </mat-form-field>
          <mat-form-field appearance="outline">
            <mat-label>Email</mat-label>
            <input matInput type="email" formControlName="email" autocomplete="email" />
            <mat-error>Please enter an email address, like ada&#64;example.com</mat-error>
          </mat-form-field>
          <button matButton="filled" type="submit">Join the list</button>
        </form>
      }
    </section>
    <img src="still-life.svg" alt="" width="640" height="640" />
  `,
  styles: `
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1.05fr) minmax(0, 1fr);
      gap: clamp(32px, 6vw, 88px);
      align-items: center;
    }
    form {
      display: grid;
      gap: 8px;
      max-width: 420px;
      margin-top: 36px;
    }
    button {
      --mat-button-filled-container-height: 52px;

      justify-self: start;
      padding-inline: 32px;
    }
    img {
      display: block;
      width: 100%;
      height: auto;
      border-radius: 36px;
    }
    .welcome {
      max-width: 42ch;
      margin: 36px 0 0;
      padding: 20px 24px;
      border-radius: var(--mat-sys-corner-large);
      background: var(--mat-sys-tertiary-container);
      color: var(--mat-sys-on-tertiary-container);
    }
    @media (max-width: 760px) {
      :host {
        grid-template-columns: minmax(0, 1fr);
      }
      form {
        max-width: none;
      }
    }
  `,
})
export class HomePage {
  protected readonly welcomed = signal('');
  protected readonly form = inject(NonNullableFormBuilder).group({
    name: ['', Validators.required],
    email: ['', [Validators.required, Validators.email]],
  });

  protected join(): void {
    if (this.form.valid) this.welcomed.set(this.form.getRawValue().name);
  }
}
