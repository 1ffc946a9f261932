/** What an engine of one's own renders with. */
export declare const template: string;
export declare function renderInto(document: string, request: Request): Promise<string>;
