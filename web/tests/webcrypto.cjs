// Defines `crypto` as browsers and node 20 have it. Node 18, in Debian 12, keeps it in a module.

globalThis.crypto ??= require("node:crypto").webcrypto;
