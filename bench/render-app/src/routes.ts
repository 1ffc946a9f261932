import type { Routes } from '@angular/router';
import { LargePage } from './pages/large';
import { SmallPage } from './pages/small';
import { SpiralPage } from './pages/spiral';
import { TablePage } from './pages/table';

export const routes: Routes = [
  { path: 'small', title: 'Small', component: SmallPage },
  { path: 'large', title: 'Large', component: LargePage },
  { path: 'table', title: 'Table', component: TablePage },
  { path: 'spiral', title: 'Spiral', component: SpiralPage },
];
