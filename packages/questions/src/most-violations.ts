/** Validation stops after this many violations, which is more than a response can hold. */
export const mostViolations = 2_000;
