/** The packages so that each comes after those of the same release that it depends on. */
export function inPublishOrder(packages) {
  const byName = new Map(packages.map((each) => [each.manifest.name, each]));
  const ordered = new Set();
  const add = (each) => {
    const { dependencies, peerDependencies, optionalDependencies } = each.manifest;
    for (const name of Object.keys({
      ...dependencies,
      ...peerDependencies,
      ...optionalDependencies,
    })) {
      if (byName.has(name)) add(byName.get(name));
    }
    ordered.add(each);
  };
  for (const each of packages) add(each);
  return [...ordered];
}
