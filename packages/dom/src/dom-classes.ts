/**
 * Angular's DOM classes by name: what Angular assigns to `globalThis` when an application starts on a server
 * (`HTMLElement`, `Document`, `HTMLParser` ...).
 */
export type DomClasses = Readonly<Record<string, unknown>>;
