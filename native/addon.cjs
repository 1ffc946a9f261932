'use strict';

// Finds build/Release (a build from source) or the fitting file in prebuilds/.
module.exports = require('node-gyp-build')(__dirname);
