import type { Routes } from '@angular/router';
import { generateEntries, resolveEntries } from './entries';
import { Detail } from './pages/detail';
import { LinkedTable } from './pages/linked-table';
import { Table } from './pages/table';

const onServer = { resolve: { entries: resolveEntries } };

export const routes: Routes = [
  {
    path: '',
    component: LinkedTable,
    data: { base: '/server-side-rendered' },
    ...onServer,
  },
  { path: 'ssr-throughput', component: Table, ...onServer },
  {
    path: 'server-side-rendered',
    component: LinkedTable,
    data: { base: '/server-side-rendered' },
    ...onServer,
  },
  { path: 'server-side-rendered/:id', component: Detail },
  {
    path: 'client-side-rendered',
    component: LinkedTable,
    data: { base: '/client-side-rendered' },
    resolve: { entries: generateEntries },
  },
  { path: 'client-side-rendered/:id', component: Detail },
];
