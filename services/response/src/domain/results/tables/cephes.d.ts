/** The types of the package are not among its exports. */
declare module "cephes" {
  /** Settles when the functions can be called. */
  export const compiled: Promise<void>;
  /** Probability that chi-square exceeds `x`. Throws if a step of the computation underflows. */
  export function chdtrc(degreesOfFreedom: number, x: number): number;
  /** The logarithm of the gamma function. */
  export function lgam(x: number): number;
}
