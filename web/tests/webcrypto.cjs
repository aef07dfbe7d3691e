// Browsers have it, and node from 20 on: 18, which Debian 12 has, keeps it in a module.

globalThis.crypto ??= require("node:crypto").webcrypto;
