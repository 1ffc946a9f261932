import { JsonPipe } from '@angular/common';
import { FormBuilder, FormsModule, ReactiveFormsModule, Validators } from '@angular/forms';
import { inject } from '@angular/core';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatButtonModule } from '@angular/material/button';
import { MatButtonToggleModule } from '@angular/material/button-toggle';
import { MatCheckboxModule } from '@angular/material/checkbox';
import { MatChipsModule } from '@angular/material/chips';
import { provideNativeDateAdapter } from '@angular/material/core';
import { MatDatepickerModule } from '@angular/material/datepicker';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatIconModule } from '@angular/material/icon';
import { MatInputModule } from '@angular/material/input';
import { MatRadioModule } from '@angular/material/radio';
import { MatSelectModule } from '@angular/material/select';
import { MatSlideToggleModule } from '@angular/material/slide-toggle';
import { MatSliderModule } from '@angular/material/slider';
import { MatTimepickerModule } from '@angular/material/timepicker';
import { page } from './page.ts';

export const dates = provideNativeDateAdapter();

export const buttons = page(
  `<button matButton>Text</button><button matButton="filled" color="primary">Filled</button>
  <button matButton="elevated" disabled>Disabled</button><a matButton="outlined" href="/x?a=b&amp;c">Link</a>
  <button matIconButton aria-label="Menu"><mat-icon>menu</mat-icon></button><button matFab extended>Fab</button>
  <button matMiniFab disabledInteractive disabled><mat-icon fontIcon="home" /></button>
  <mat-button-toggle-group multiple name="g" [value]="['a']"><mat-button-toggle value="a">A</mat-button-toggle>
  <mat-button-toggle value="b" disabled>B</mat-button-toggle></mat-button-toggle-group>`,
  [MatButtonModule, MatButtonToggleModule, MatIconModule],
);

export const choices = page(
  `<mat-checkbox checked>One</mat-checkbox><mat-checkbox indeterminate labelPosition="before">Two</mat-checkbox>
  <mat-checkbox [(ngModel)]="agreed" name="agreed" required>Three &lt;3</mat-checkbox>
  <mat-radio-group [(ngModel)]="choice"><mat-radio-button value="a">A</mat-radio-button>
  <mat-radio-button value="b" disabled>B</mat-radio-button></mat-radio-group>
  <mat-slide-toggle checked hideIcon>Toggle</mat-slide-toggle><mat-slide-toggle disabled />
  <mat-slider min="0" max="10" step="2" discrete showTickMarks><input matSliderThumb value="4" /></mat-slider>
  <mat-slider><input matSliderStartThumb value="1" /><input matSliderEndThumb value="50" /></mat-slider>
  <mat-chip-set><mat-chip>One</mat-chip><mat-chip removable>Two<button matChipRemove>x</button></mat-chip></mat-chip-set>
  <mat-chip-listbox><mat-chip-option selected>A</mat-chip-option><mat-chip-option disabled>B</mat-chip-option></mat-chip-listbox>`,
  [
    ...[FormsModule, MatCheckboxModule, MatRadioModule, MatSlideToggleModule, MatSliderModule],
    MatChipsModule,
  ],
  class {
    agreed = true;
    choice = 'b';
  },
);

export const fields = page(
  `<form [formGroup]="form"><mat-form-field appearance="outline"><mat-label>Name</mat-label>
  <input matInput formControlName="name" /><mat-hint align="end">hint</mat-hint><mat-error>wrong</mat-error></mat-form-field>
  <mat-form-field hideRequiredMarker floatLabel="always"><mat-label>Text</mat-label><mat-icon matPrefix>a</mat-icon>
  <textarea matInput cdkTextareaAutosize formControlName="text"></textarea><span matTextSuffix>&euro;</span></mat-form-field>
  <mat-form-field><mat-label>Select</mat-label><mat-select formControlName="select"><mat-option>none</mat-option>
  @for (o of options; track o) {<mat-option [value]="o">{{ o }}</mat-option>}</mat-select></mat-form-field>
  <mat-form-field><mat-select multiple [value]="['b']" placeholder="p"><mat-optgroup label="g">
  <mat-option value="a">A</mat-option><mat-option value="b">B</mat-option></mat-optgroup></mat-select></mat-form-field>
  <mat-form-field><select matNativeControl formControlName="native"><option value="">-</option>
  @for (o of options; track o) {<option [value]="o">{{ o }}</option>}</select></mat-form-field>
  <mat-form-field><input matInput [matAutocomplete]="auto" /><mat-autocomplete #auto="matAutocomplete">
  <mat-option value="x">X</mat-option></mat-autocomplete></mat-form-field>
  <mat-form-field><mat-chip-grid #grid><mat-chip-row>c</mat-chip-row></mat-chip-grid><input [matChipInputFor]="grid" /></mat-form-field>
  <input type="checkbox" formControlName="check" /><input type="radio" value="r" formControlName="radio" />
  <input type="number" formControlName="number" /><select multiple formControlName="many"><option value="a">a</option>
  <option value="b">b</option></select></form>`,
  [
    ...[ReactiveFormsModule, MatFormFieldModule, MatInputModule, MatSelectModule, MatIconModule],
    ...[MatAutocompleteModule, MatChipsModule],
  ],
  class {
    readonly options = ['a', 'b', 'c<d>'];
    readonly form = inject(FormBuilder).group({
      ...{ name: ['', Validators.required], text: ['a\nb "c"'], select: ['b'], native: ['c<d>'] },
      ...{ check: [true], radio: ['r'], number: [3], many: [['b']] },
    });
  },
);

export const templateForm = page(
  `<form #f="ngForm"><input name="a" [(ngModel)]="a" required minlength="3" #m="ngModel" />
  @if (m.invalid) {<span class="error">{{ m.errors | json }}</span>}<input name="c" type="checkbox" ngModel />
  <select name="s" [(ngModel)]="s"><option [ngValue]="o">1</option><option [ngValue]="null">2</option></select>
  <textarea name="t" [(ngModel)]="t"></textarea><fieldset ngModelGroup="g"><input name="x" ngModel="y" disabled /></fieldset>
  <button [disabled]="f.invalid">go</button></form>`,
  [FormsModule, JsonPipe],
  class {
    a = 'ab';
    o = {};
    s = this.o;
    t = '</textarea><script>x</script>';
  },
);

export const pickers = page(
  `<mat-form-field><mat-label>Date</mat-label><input matInput [matDatepicker]="p" [value]="date" />
  <mat-datepicker-toggle matIconSuffix [for]="p" /><mat-datepicker #p /></mat-form-field>
  <mat-form-field><mat-date-range-input [rangePicker]="r"><input matStartDate /><input matEndDate />
  </mat-date-range-input><mat-date-range-picker #r /></mat-form-field><mat-calendar [startAt]="date" [selected]="date" />
  <mat-form-field><input matInput [matTimepicker]="t" /><mat-timepicker #t /><mat-timepicker-toggle [for]="t" /></mat-form-field>`,
  [MatDatepickerModule, MatTimepickerModule, MatFormFieldModule, MatInputModule],
  class {
    readonly date = new Date(2024, 1, 29);
  },
);
