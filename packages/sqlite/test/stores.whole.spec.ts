import { DatabaseSync } from 'node:sqlite';
import {
  defineStoredPagesSuite,
  type SharedStore,
} from '../../conformance/test/processes/stored-pages-suite.ts';
import { StoreFile } from './store-file.ts';

defineStoredPagesSuite('memory in front of SQLite', async (): Promise<SharedStore> => {
  const file = new StoreFile();
  const count = async (table: string, condition: string, ...values: string[]): Promise<number> => {
    const database = new DatabaseSync(file.path);
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${condition}`;
    const row = database.prepare(sql).get(...values);
    database.close();
    return Number(row?.['count']);
  };
  return {
    options: { sqlite: file.options() },
    // It has no clock of its own.
    age: async () => {},
    heldLeases: () => count('leases', `token <> 'unshared'`),
    pagesOf: (path) => count('bodies', 'instr(value, CAST(? AS BLOB)) > 0', `"path":"${path}"`),
    stop: () => file.close(),
  };
});
