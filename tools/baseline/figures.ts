/** Numbers by name, such as `lines/core/render`. */
export type Figures = Readonly<Record<string, number>>;
