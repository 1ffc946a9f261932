/** The compiled form of assembly/xxh3.ts in base64, written by tools/compile-twin.mjs. */
export declare const binary: string;
