import { chdtrc, compiled, lgam } from "cephes";

// Until then the functions of the library throw.
await compiled;

/** The logarithm of the smallest normal number is -708.4. */
const leastExponent = -700;

/** Probability that chi-square is at least `value` under independence. */
export function chiSquareTail(degreesOfFreedom: number, value: number): number {
  if (value === 0) return 1;
  const [shape, at] = [degreesOfFreedom / 2, value / 2];
  // The library throws where the density is below the smallest number, far from the middle of the distribution.
  const exponent = shape * Math.log(at) - at - lgam(shape);
  if (exponent < leastExponent) return at > shape ? 0 : 1;
  return chdtrc(degreesOfFreedom, value);
}
