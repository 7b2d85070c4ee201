export { callers } from "./callers.ts";
