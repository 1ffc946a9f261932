#!/usr/bin/env node
import { run } from '@ng-ssr/cli';

process.exitCode = await run(process.argv.slice(2));
