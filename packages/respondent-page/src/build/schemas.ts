type Make = (properties?: object) => object;

const kinds: Record<string, Make> = {};

/**
 * Replaces typebox in the bundle. Public definitions are complete, so the browser needs neither defaults nor validation
 * from schemas; modules only read `properties` while they load.
 */
export const Type = new Proxy(kinds, {
  get: (_, kind): Make => (kind === "Object" ? (properties = {}) => ({ properties }) : () => ({})),
});

export function Compile(): never {
  throw new Error("schemas are not checked in the browser");
}
