type Make = (properties?: object) => object;

const kinds: Record<string, Make> = {};

/**
 * Stands for typebox in the bundle. A public definition has every setting, so the browser asks schemas neither for
 * defaults nor for a verdict; modules only take their properties apart as they load.
 */
export const Type = new Proxy(kinds, {
  get: (_, kind): Make => (kind === "Object" ? (properties = {}) => ({ properties }) : () => ({})),
});

export function Compile(): never {
  throw new Error("schemas are not checked in the browser");
}
