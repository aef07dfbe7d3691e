export * from "../../../node_modules/preact/hooks/src";
