import { toRender } from '#frameworks/page-shell.ts';
import { renderToString } from 'solid-js/web';
import { Spiral } from './spiral.jsx';
import { Table } from './table.jsx';

export const render = toRender({
  table: (rows) => renderToString(() => <Table rows={rows} />),
  spiral: (tiles) => renderToString(() => <Spiral tiles={tiles} />),
});
