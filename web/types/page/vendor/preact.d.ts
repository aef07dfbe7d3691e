export * from "../../../node_modules/preact";
