import { inject, PendingTasks } from '@angular/core';
import { CdkDrag, CdkDropList } from '@angular/cdk/drag-drop';
import { CdkMenuModule } from '@angular/cdk/menu';
import { OverlayModule } from '@angular/cdk/overlay';
import { ScrollingModule } from '@angular/cdk/scrolling';
import { CdkTableModule } from '@angular/cdk/table';
import { MatBadgeModule } from '@angular/material/badge';
import { MatBottomSheet } from '@angular/material/bottom-sheet';
import { MatCardModule } from '@angular/material/card';
import { MatDialog, MatDialogModule } from '@angular/material/dialog';
import { MatDividerModule } from '@angular/material/divider';
import { MatExpansionModule } from '@angular/material/expansion';
import { MatGridListModule } from '@angular/material/grid-list';
import { MatIconModule, MatIconRegistry } from '@angular/material/icon';
import { MatListModule } from '@angular/material/list';
import { MatMenuModule } from '@angular/material/menu';
import { MatPaginatorModule } from '@angular/material/paginator';
import { MatProgressBarModule } from '@angular/material/progress-bar';
import { MatProgressSpinnerModule } from '@angular/material/progress-spinner';
import { MatSidenavModule } from '@angular/material/sidenav';
import { MatSnackBar } from '@angular/material/snack-bar';
import { MatSortModule } from '@angular/material/sort';
import { MatStepperModule } from '@angular/material/stepper';
import { MatTableModule } from '@angular/material/table';
import { MatTabsModule } from '@angular/material/tabs';
import { MatToolbarModule } from '@angular/material/toolbar';
import { MatTooltipModule } from '@angular/material/tooltip';
import { MatTreeModule } from '@angular/material/tree';
import { DomSanitizer } from '@angular/platform-browser';
import { page } from './page.ts';

const rows = Array.from({ length: 12 }, (_, at) => ({ at, name: `Row "${at}" & <co>` }));

export const tables = page(
  `<table mat-table matSort matSortActive="at" matSortDirection="asc" [dataSource]="rows">
  <ng-container matColumnDef="at"><th mat-header-cell *matHeaderCellDef mat-sort-header>No.</th>
  <td mat-cell *matCellDef="let row">{{ row.at }}</td><td mat-footer-cell *matFooterCellDef>f</td></ng-container>
  <ng-container matColumnDef="name" sticky><th mat-header-cell *matHeaderCellDef>Name</th>
  <td mat-cell *matCellDef="let row">{{ row.name }}</td><td mat-footer-cell *matFooterCellDef></td></ng-container>
  <tr mat-header-row *matHeaderRowDef="columns; sticky: true"></tr><tr mat-row *matRowDef="let row; columns: columns"></tr>
  <tr mat-footer-row *matFooterRowDef="columns"></tr><tr *matNoDataRow><td>none</td></tr></table>
  <mat-paginator [length]="100" [pageSizeOptions]="[5, 10]" showFirstLastButtons />
  <cdk-table [dataSource]="rows"><ng-container cdkColumnDef="at"><cdk-header-cell *cdkHeaderCellDef>a</cdk-header-cell>
  <cdk-cell *cdkCellDef="let row">{{ row.at }}</cdk-cell></ng-container>
  <cdk-header-row *cdkHeaderRowDef="['at']" /><cdk-row *cdkRowDef="let row; columns: ['at']" /></cdk-table>
  <cdk-virtual-scroll-viewport itemSize="20" style="height: 100px"><p *cdkVirtualFor="let row of rows">{{ row.at }}</p>
  </cdk-virtual-scroll-viewport>`,
  [MatTableModule, MatSortModule, MatPaginatorModule, CdkTableModule, ScrollingModule],
  class {
    readonly rows = rows;
    readonly columns = ['at', 'name'];
  },
);

interface Leaf {
  readonly name: string;
  readonly children?: readonly Leaf[];
}

export const trees = page(
  `<mat-tree [dataSource]="leaves" [childrenAccessor]="children" #tree><mat-tree-node *matTreeNodeDef="let n" matTreeNodePadding>
  {{ n.name }}</mat-tree-node><mat-nested-tree-node *matTreeNodeDef="let n; when: hasChildren" isExpandable>
  <button matTreeNodeToggle>+</button>{{ n.name }}<ng-container matTreeNodeOutlet /></mat-nested-tree-node></mat-tree>
  <mat-accordion multi><mat-expansion-panel expanded><mat-expansion-panel-header><mat-panel-title>T</mat-panel-title>
  <mat-panel-description>D</mat-panel-description></mat-expansion-panel-header><ng-template matExpansionPanelContent>lazy</ng-template>
  </mat-expansion-panel><mat-expansion-panel disabled hideToggle><mat-expansion-panel-header>x</mat-expansion-panel-header>
  </mat-expansion-panel></mat-accordion><mat-stepper linear #s><mat-step label="One" [completed]="true">a
  <button matStepperNext>next</button></mat-step><mat-step optional><ng-template matStepLabel>Two</ng-template>
  <ng-template matStepContent>b</ng-template></mat-step></mat-stepper><mat-stepper orientation="vertical"><mat-step label="V">c</mat-step></mat-stepper>
  <mat-tab-group mat-stretch-tabs="false" dynamicHeight><mat-tab label="A">first</mat-tab><mat-tab disabled><ng-template matTabLabel>B</ng-template>
  <ng-template matTabContent>second</ng-template></mat-tab></mat-tab-group>
  <nav mat-tab-nav-bar [tabPanel]="panel"><a mat-tab-link active href="/a">L</a></nav><mat-tab-nav-panel #panel>p</mat-tab-nav-panel>`,
  [MatTreeModule, MatExpansionModule, MatStepperModule, MatTabsModule],
  class {
    readonly leaves: readonly Leaf[] = [
      { name: 'a', children: [{ name: 'b' }, { name: 'c' }] },
      { name: 'd' },
    ];
    readonly children = (leaf: Leaf): Leaf[] => [...(leaf.children ?? [])];
    readonly hasChildren = (_: number, leaf: Leaf): boolean => leaf.children !== undefined;
  },
);

export const layout = page(
  `<mat-toolbar color="primary"><mat-toolbar-row>Shop<span class="spacer"></span></mat-toolbar-row></mat-toolbar>
  <mat-sidenav-container><mat-sidenav mode="side" opened>nav</mat-sidenav><mat-sidenav-content>content</mat-sidenav-content>
  </mat-sidenav-container><mat-drawer-container hasBackdrop><mat-drawer position="end">d</mat-drawer>x</mat-drawer-container>
  <mat-card appearance="outlined"><mat-card-header><div mat-card-avatar></div><mat-card-title>T</mat-card-title>
  <mat-card-subtitle>S</mat-card-subtitle></mat-card-header><img mat-card-image src="/a.png?b&c" alt='"q"' />
  <mat-card-content>c</mat-card-content><mat-divider inset /><mat-card-actions align="end">a</mat-card-actions></mat-card>
  <mat-grid-list cols="3" rowHeight="2:1" gutterSize="4px"><mat-grid-tile colspan="2" rowspan="2">1</mat-grid-tile>
  <mat-grid-tile><mat-grid-tile-header>h</mat-grid-tile-header>2</mat-grid-tile></mat-grid-list>
  <mat-list><h3 matSubheader>s</h3><mat-list-item lines="3"><span matListItemTitle>a</span><span matListItemLine>b</span>
  <mat-icon matListItemIcon>c</mat-icon></mat-list-item></mat-list><mat-nav-list><a mat-list-item href="/b" activated>n</a></mat-nav-list>
  <mat-selection-list><mat-list-option selected value="1">o</mat-list-option><mat-list-option disabled>p</mat-list-option></mat-selection-list>
  <mat-action-list><button mat-list-item>q</button></mat-action-list>`,
  [
    ...[MatToolbarModule, MatSidenavModule, MatCardModule, MatDividerModule, MatGridListModule],
    ...[MatListModule, MatIconModule],
  ],
);

const ICON =
  '<svg viewBox="0 0 24 24"><title>t</title><g fill="red" xlink:href="#a"><path d="M0 0h24v24H0z"/></g></svg>';

export const indicators = page(
  `<mat-progress-bar mode="determinate" value="40" bufferValue="60" /><mat-progress-bar mode="query" />
  <mat-spinner diameter="30" /><mat-progress-spinner mode="determinate" value="75" strokeWidth="5" />
  <mat-icon svgIcon="logo" color="accent" /><mat-icon fontSet="fa" fontIcon="fa-x" inline /><mat-icon>home</mat-icon>
  <span matBadge="8" matBadgePosition="below after" matBadgeOverlap="false" aria-hidden="true">m</span>
  <button matTooltip="Tip &amp; text" matTooltipPosition="above" matBadge="15" matBadgeHidden>t</button>`,
  [MatProgressBarModule, MatProgressSpinnerModule, MatIconModule, MatBadgeModule, MatTooltipModule],
  class {
    constructor() {
      const icon = inject(DomSanitizer).bypassSecurityTrustHtml(ICON);
      inject(MatIconRegistry).addSvgIconLiteral('logo', icon);
    }
  },
);

const ANNOUNCED_MS = 300;

const dialogContent = page(
  '<h2 mat-dialog-title>Dialog</h2><mat-dialog-content>c</mat-dialog-content><mat-dialog-actions><button mat-dialog-close>x</button></mat-dialog-actions>',
  [MatDialogModule],
);

export const overlays = page(
  `<button [matMenuTriggerFor]="menu">menu</button><mat-menu #menu="matMenu"><button mat-menu-item>i</button></mat-menu>
  <button [cdkMenuTriggerFor]="cdk">cdk</button><ng-template #cdk><div cdkMenu><button cdkMenuItem>x</button></div></ng-template>
  <div cdkDropList (cdkDropListDropped)="noop()">@for (n of [1, 2]; track n) {<p cdkDrag>{{ n }}<i cdkDragHandle></i></p>}</div>
  <button cdkOverlayOrigin #o="cdkOverlayOrigin">o</button>
  <ng-template cdkConnectedOverlay [cdkConnectedOverlayOrigin]="o" [cdkConnectedOverlayOpen]="true"><p class="over">open</p></ng-template>`,
  [MatMenuModule, CdkMenuModule, OverlayModule, CdkDropList, CdkDrag],
  class {
    constructor() {
      inject(MatDialog).open(dialogContent, { ariaLabel: 'd', panelClass: ['p', 'q'] });
      inject(MatSnackBar).open('Saved "it" & <more>', 'Undo', { duration: 0 });
      inject(MatBottomSheet).open(dialogContent);
      // The snack bar moves its text after 150 ms, which a render on a busy machine takes or not: wait for it.
      setTimeout(inject(PendingTasks).add(), ANNOUNCED_MS);
    }
    noop(): void {}
  },
);
