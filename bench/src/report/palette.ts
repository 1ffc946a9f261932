/** Colours of the charts: light ones are drawn, dark ones take their place by a media query. */
export const LIGHT = {
  text: '#1b1f24',
  faint: '#656d76',
  grid: '#d8dee4',
  ours: '#2563eb',
  early: '#0891b2',
  peer: '#b45309',
  limit: '#6b7280',
} as const;

const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  text: '#e6edf3',
  faint: '#9198a1',
  grid: '#30363d',
  ours: '#60a5fa',
  early: '#22d3ee',
  peer: '#f59e0b',
  limit: '#8b949e',
};

/** The style that turns a drawn chart dark where the reader's system is dark. */
export function darkStyle(): string {
  const rules = Object.entries(LIGHT).map(([name, colour]) => {
    const dark = DARK[name as keyof typeof LIGHT];
    return `[fill="${colour}" i]{fill:${dark}}[stroke="${colour}" i]{stroke:${dark}}`;
  });
  return `<style>@media (prefers-color-scheme: dark){${rules.join('')}}</style>`;
}
