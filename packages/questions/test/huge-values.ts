const long = "x".repeat(1_000_000);
const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));
const list = Array.from({ length: 100_000 }, () => long);

/** Answers as large as a hostile caller can make them, and larger. */
export const hugeValues: readonly unknown[] = [long, wide, list, [wide], { [long]: long }, { [long]: wide }];
