import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PASSWORD = 'a-password-of-tests';

/** The user that the README tells to create, as options and as a line of redis.conf. */
export const aclUser = { username: 'shop', password: PASSWORD } as const;

export function aclSetting(): string {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, rules] = /^user shop on >PASSWORD ([^`]*)/m.exec(readme)!;
  return `user shop on >${PASSWORD} ${rules!.trim().replace(/\s+/g, ' ')}`;
}
