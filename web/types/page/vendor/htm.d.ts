export { default } from "../../../node_modules/htm";
