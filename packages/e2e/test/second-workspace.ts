export { createWorkspace, type OtherWorkspace } from "../src/index.ts";
