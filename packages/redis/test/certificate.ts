import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NO_OPENSSL = 'no openssl on PATH: "apt-get install openssl"';

/**
 * Whether there is no openssl on this machine; it says so.
 *
 * @throws when there is none and CI=true: there, no test may be skipped.
 */
export function isOpensslMissing(): boolean {
  if (spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0) return false;
  if (process.env['CI'] === 'true') throw new Error(NO_OPENSSL);
  console.warn(`Tests with TLS are skipped: ${NO_OPENSSL}`);
  return true;
}

/** A self-signed certificate for this machine. */
export class Certificate {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ng-ssr-certificate-'));
  readonly file: string = join(this.#folder, 'certificate.pem');
  readonly keyFile: string = join(this.#folder, 'key.pem');

  constructor() {
    const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
    args.push('-subj', '/CN=localhost', '-addext', names);
    args.push('-keyout', this.keyFile, '-out', this.file);
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  get pem(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** For a redis-server that listens with TLS alone. */
  settings(port: number): readonly string[] {
    return [
      ...['port 0', `tls-port ${port}`, 'tls-replication yes', 'tls-auth-clients no'],
      ...[`tls-cert-file ${this.file}`, `tls-key-file ${this.keyFile}`],
      `tls-ca-cert-file ${this.file}`,
    ];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
