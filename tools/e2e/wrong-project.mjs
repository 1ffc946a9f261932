import assert from 'node:assert/strict';
import { digestOf } from './workspace.mjs';

/** A project that is not there: a message and the address of its page, and nothing is changed. */
export async function checkWrongProject({ workspace, ng }, packageName) {
  const before = digestOf(workspace);
  const args = ['generate', `${packageName}:server`, '--project', 'shpo'];
  const { code, output } = await ng(args, { mayFail: true });
  assert.notEqual(code, 0);
  const [message, page, ...others] = output.trim().split('\n');
  assert.match(message, /^There is no project "shpo" in angular\.json: it has shop\. /);
  assert.match(page, /^https:\S+#ng_ssr_project_unknown$/);
  assert.deepEqual(others, []);
  assert.equal(digestOf(workspace), before);
}
