import { toRender } from '#frameworks/page-shell.ts';
import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import Spiral from './spiral.vue';
import Table from './table.vue';

export const render = toRender({
  table: (rows) => renderToString(createSSRApp(Table, { rows })),
  spiral: (tiles) => renderToString(createSSRApp(Spiral, { tiles })),
});
