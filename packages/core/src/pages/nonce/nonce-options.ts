/** How each answer with a stored page gets its own nonce. */
export interface NonceOptions {
  /** The text that the pages contain in place of a nonce. At least 8 characters of base64. */
  readonly placeholder: string;
  /** The Content-Security-Policy of these pages, with the placeholder where the nonce goes. */
  readonly policy: string;
}
