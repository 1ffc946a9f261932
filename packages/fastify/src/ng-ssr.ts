#!/usr/bin/env node
import { run } from '@ng-ssr/core/cli';

process.exitCode = await run(process.argv.slice(2));
