import { DatabaseSync } from 'node:sqlite';
import { defineStoredCallsSuite } from '../../conformance/test/processes/stored-calls-suite.ts';
import { StoreFile } from './store-file.ts';

defineStoredCallsSuite('SQLite', async () => {
  const file = new StoreFile();
  return {
    createStore: () => file.createStore(),
    async values() {
      const database = new DatabaseSync(file.path);
      const rows = database
        .prepare('SELECT key, build, value FROM entries JOIN bodies USING (id)')
        .all();
      database.close();
      return rows.map(({ key, build, value }) => {
        return `${key}\n${build}\n${Buffer.from(value as Uint8Array).toString('latin1')}`;
      });
    },
    stop: () => file.close(),
  };
});
