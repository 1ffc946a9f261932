/** A program: it keeps a core busy for the seconds of its argument, as nicely as a render thread does. */
import { setPriority } from 'node:os';

setPriority(5);
const end = performance.now() + Number(process.argv[2]) * 1000;
while (performance.now() < end);
