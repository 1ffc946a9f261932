'use strict';

const load = require('node-gyp-build');

// Finds build/Release (a build from source) or the fitting file in prebuilds/.
function loadAddon() {
  try {
    return load(__dirname);
  } catch (error) {
    const addon = loadForMusl();
    if (addon !== undefined) return addon;
    throw error;
  }
}

// node-gyp-build takes every system but Alpine for one with glibc.
function loadForMusl() {
  if (process.platform !== 'linux') return undefined;
  try {
    return require(`./prebuilds/linux-${process.arch}/etag.musl.node`);
  } catch {
    return undefined;
  }
}

module.exports = loadAddon();
