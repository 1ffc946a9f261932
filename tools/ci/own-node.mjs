/**
 * Removes the Node that npm has brought into node_modules/.bin, so that npm scripts run under the Node that
 * the machine has: a matrix of Node versions would otherwise test one of them alone.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../node_modules/.bin');
const own = readdirSync(bin).filter((name) => /^node(\.|$)/.test(name));
for (const name of own) rmSync(join(bin, name));
console.log(`${own.length} removed; npm scripts run under Node ${process.version} now.`);
