/** Stands for node:crypto in the bundle: what uses it is loaded with the shared packages, and never called. */
export function hash(): never {
  throw new Error("there is no node:crypto in the browser");
}
