/** Where an orchestrator asks how the process is, for every server. */
export const probes = { live: '/livez', ready: '/readyz' };
