import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SsrOptions } from '@ng-ssr/core';
import { type Page, storedServer, type StoredServer } from '../pages/stored-server.ts';

/** A server whose build has a CSR page. */
export function withCsrPage(page: Page, options: Partial<SsrOptions>): StoredServer {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-overload-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'index.csr.html'), '<!doctype html><app-root></app-root>');
  return storedServer(page, { ...options, files: { folder, ...options.files } });
}
