const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOld = major < 22 || (major === 22 && minor < 12) || (major === 23 && minor < 1);

/** Why server threads cannot be tested on this machine. */
export const threadsMissing: string | undefined = isOld
  ? 'listen({ threads }) needs Node 22.12'
  : process.platform === 'linux'
    ? undefined
    : 'listen({ threads }) needs Linux or a BSD';
