/** Tests that draw at random draw more for a release: `pnpm test-release` sets it. */
export const isForRelease = Boolean(process.env["CANVASS_RELEASE_TESTS"]);
