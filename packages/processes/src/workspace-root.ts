import { resolve } from "node:path";

export const WORKSPACE_ROOT = resolve(import.meta.dirname, "../../..");
