import { test } from 'vitest';
import { checkAfterKill } from './killed-writer.ts';

test('a process that is killed while it writes leaves whole pages, and no purged one', async () => {
  await checkAfterKill(1);
});
