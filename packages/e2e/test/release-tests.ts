/** Tests that draw at random draw more for a release. */
export const isForRelease = Boolean(process.env["CANVASS_RELEASE_TESTS"]);

/**
 * Options for tests that take a minute each and that a release needs, not each change: `pnpm test-release` runs them. Without
 * it they are skipped, as are those for which the machine lacks something; the end of the run tells.
 */
export function forRelease(lacks?: string): { skip?: true; meta?: { missing: string } } {
  const missing = isForRelease ? lacks : "CANVASS_RELEASE_TESTS (pnpm test-release sets it)";
  return missing === undefined ? {} : { skip: true, meta: { missing } };
}
