import { Component } from '@angular/core';
import { MatButtonModule } from '@angular/material/button';
import { MatCardModule } from '@angular/material/card';
import { MatChipsModule } from '@angular/material/chips';
import { MatListModule } from '@angular/material/list';
import { MatProgressBarModule } from '@angular/material/progress-bar';
import { MatTableModule } from '@angular/material/table';
import { MatTabsModule } from '@angular/material/tabs';
import { MatToolbarModule } from '@angular/material/toolbar';
import { MatTooltipModule } from '@angular/material/tooltip';

@Component({
  selector: 'app-parts',
  imports: [
    MatButtonModule,
    MatCardModule,
    MatChipsModule,
    MatListModule,
    MatProgressBarModule,
    MatTableModule,
    MatTabsModule,
    MatToolbarModule,
    MatTooltipModule,
  ],
  template: `
    <h1 i18n="@@parts">Parts</h1>
    <mat-progress-bar mode="determinate" [value]="40" />
    <mat-card>
      <mat-card-header><mat-card-title>Card</mat-card-title></mat-card-header>
      <mat-card-content>
        <mat-chip-set><mat-chip>One</mat-chip><mat-chip>Two</mat-chip></mat-chip-set>
      </mat-card-content>
      <mat-card-actions><button matButton matTooltip="Tip">Buy</button></mat-card-actions>
    </mat-card>
    <!-- No expansion panel: it changes its classes 200 ms after it was created. -->
    <mat-toolbar color="primary">Toolbar</mat-toolbar>
    <mat-list>
      <mat-list-item
        ><span matListItemTitle>First</span><span matListItemLine>Line</span></mat-list-item
      >
    </mat-list>
    <mat-tab-group>
      <mat-tab label="First">First tab</mat-tab>
      <mat-tab label="Second">Second tab</mat-tab>
    </mat-tab-group>
    <table mat-table [dataSource]="rows">
      <ng-container matColumnDef="name">
        <th mat-header-cell *matHeaderCellDef>Name</th>
        <td mat-cell *matCellDef="let row">{{ row.name }}</td>
      </ng-container>
      <tr mat-header-row *matHeaderRowDef="['name']"></tr>
      <tr mat-row *matRowDef="let row; columns: ['name']"></tr>
    </table>
  `,
})
export class Parts {
  readonly rows = [{ name: 'Frame' }, { name: 'Glass' }];
}
