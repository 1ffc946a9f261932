import type { Check } from '../check.ts';
import type { BuiltFile } from '../facts/list-files.ts';
import type { Finding } from '../finding.ts';
import { shellWord } from '../shell-word.ts';

const NAMED = 3;

/** Whether built files are packed, and held in memory. */
export const checkFiles: Check = ({ build, server }) => {
  const findings: Finding[] = [];
  const { description } = server ?? {};
  const pack = `npx ng-ssr pack ${shellWord(build.place.outputPath)}`;
  if (!build.isPacked) {
    findings.push({
      id: 'not-packed',
      severity: 'note',
      found: 'The build is not packed.',
      why: 'Each process compresses all files after it starts, and sends them uncompressed until then.',
      fix: pack,
    });
  }
  const notices = description?.notices ?? [];
  for (const [code, id] of [
    ['NG_SSR_PACK_STALE', 'pack-stale'],
    ['NG_SSR_PACK_INVALID', 'pack-invalid'],
  ] as const) {
    const notice = notices.find((each) => each.code === code);
    if (notice === undefined) continue;
    const why = 'Each process compresses these files again after it starts.';
    findings.push({ id, severity: 'warning', found: notice.message, why, fix: pack });
  }
  if (description === undefined) return findings;
  const { maxFileBytes, maxBytes } = description.files;
  const large = build.prerendered.filter(({ bytes }) => bytes > maxFileBytes);
  if (large.length > 0) {
    const bytes = Math.max(...large.map((page) => page.bytes));
    findings.push({
      id: 'pages-not-held',
      severity: 'warning',
      found: `${list(large)}: prerendered, and larger than files.maxFileBytes (${maxFileBytes}).`,
      why: 'Each request reads them from disk, without prebuilt encodings.',
      fix: `files: { maxFileBytes: ${bytes} }`,
    });
  }
  const held = build.files.filter(({ bytes }) => bytes <= maxFileBytes);
  const sum = held.reduce((all, { bytes }) => all + bytes, 0);
  if (sum > maxBytes) {
    findings.push({
      id: 'files-not-held',
      severity: 'warning',
      found: `${held.length} files have ${sum} bytes, more than files.maxBytes (${maxBytes}).`,
      why: 'Each request for a file that does not fit reads the disk.',
      fix: `files: { maxBytes: ${2 * sum} }`,
    });
  }
  return findings;
};

function list(files: readonly BuiltFile[]): string {
  const named = files.slice(0, NAMED).map(({ path, bytes }) => `${path} (${bytes} bytes)`);
  const more = files.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
