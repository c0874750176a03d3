// Loaded before a JavaScript program: `require` in an ES module, with the packages of the folder it is started in.
'use strict';
globalThis.require = require('node:module').createRequire(`${process.cwd()}/`);
