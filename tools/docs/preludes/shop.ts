/** What the programs of the shop have beside the server. */
export declare const pool: { query(sql: string): Promise<unknown>; end(): Promise<void> };
export declare const db: {
  readonly tenants: {
    find(host: string): Promise<object | null>;
    has(host: string): Promise<boolean>;
  };
};

export interface Estimate {
  readonly days: number;
}

export declare class Drafts {
  hasUnsaved(): boolean;
}

export declare function cartOf(request: Request): Promise<{ readonly count: number }>;
