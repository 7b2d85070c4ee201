/** Replaces node:crypto in the bundle. Shared packages import it, but the page never calls it. */
export function hash(): never {
  throw new Error("there is no node:crypto in the browser");
}
