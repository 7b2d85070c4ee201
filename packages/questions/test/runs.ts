/**
 * Runs of a property, or what they see at least: as given in nightly tests, a third in others. Each run of the tests draws
 * other inputs.
 */
export const runs = (nightly: number): number =>
  Math.ceil(process.env["CANVASS_PROPERTY_RUNS"] === "all" ? nightly : nightly / 3);
