import { createHash } from 'node:crypto';

/** Content that a client has, against which other content is encoded. */
export class Dictionary {
  readonly content: Uint8Array;
  /** Its SHA-256. */
  readonly digest: Uint8Array;
  /**
   * The value of Available-Dictionary with which a client names it (RFC 9842 section 2.2): a byte sequence
   * (RFC 9651 section 3.3.5) as all clients write it. What is written otherwise names no dictionary.
   */
  readonly name: string;

  constructor(content: Uint8Array) {
    this.content = content;
    const digest = createHash('sha256').update(content).digest();
    this.digest = digest;
    this.name = `:${digest.toString('base64')}:`;
  }
}
