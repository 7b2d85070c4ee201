import { resolve } from "node:path";

/** The directory of the checkout, in which `services` and `packages` lie. */
export const WORKSPACE_ROOT = resolve(import.meta.dirname, "../../..");
