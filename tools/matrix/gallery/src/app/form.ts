import { Component, inject } from '@angular/core';
import { FormBuilder, ReactiveFormsModule, Validators } from '@angular/forms';
import { MatCheckboxModule } from '@angular/material/checkbox';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import { MatRadioModule } from '@angular/material/radio';
import { MatSelectModule } from '@angular/material/select';
import { MatSlideToggleModule } from '@angular/material/slide-toggle';

@Component({
  selector: 'app-form',
  imports: [
    MatCheckboxModule,
    MatFormFieldModule,
    MatInputModule,
    MatRadioModule,
    MatSelectModule,
    MatSlideToggleModule,
    ReactiveFormsModule,
  ],
  template: `
    <h1 i18n="@@order">Order</h1>
    <form [formGroup]="form">
      <mat-form-field>
        <mat-label i18n="@@name">Name</mat-label>
        <input matInput formControlName="name" required />
        @if (form.controls.name.hasError('required')) {
          <mat-error>A name is needed</mat-error>
        }
      </mat-form-field>
      <mat-form-field appearance="outline">
        <mat-label>Size</mat-label>
        <mat-select formControlName="size">
          <mat-option value="small">Small</mat-option>
          <mat-option value="large">Large</mat-option>
        </mat-select>
      </mat-form-field>
      <mat-checkbox formControlName="framed">Framed</mat-checkbox>
      <mat-slide-toggle formControlName="signed">Signed</mat-slide-toggle>
      <mat-radio-group formControlName="paper">
        <mat-radio-button value="matt">Matt</mat-radio-button>
        <mat-radio-button value="glossy">Glossy</mat-radio-button>
      </mat-radio-group>
      <textarea formControlName="note" rows="2"></textarea>
      <ng-container formArrayName="mails">
        @for (mail of form.controls.mails.controls; track $index) {
          <input type="email" [formControlName]="$index" [attr.aria-invalid]="mail.invalid" />
        }
      </ng-container>
    </form>
  `,
})
export class Form {
  readonly form = inject(FormBuilder).nonNullable.group({
    name: ['', Validators.required],
    size: 'large',
    framed: true,
    signed: { value: false, disabled: true },
    paper: 'matt',
    note: 'First line\nsecond "line"',
    mails: inject(FormBuilder).array(['a@b.example', 'none'], Validators.minLength(1)),
  });

  constructor() {
    this.form.controls.name.markAsTouched();
  }
}
