import { toRender } from '#frameworks/page-shell.ts';
import { render as renderComponent } from 'svelte/server';
import Spiral from './spiral.svelte';
import Table from './table.svelte';

export const render = toRender({
  table: (rows) => renderComponent(Table, { props: { rows } }).body,
  spiral: (tiles) => renderComponent(Spiral, { props: { tiles } }).body,
});
