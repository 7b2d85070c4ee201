export type Comparator = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition of another system, parsed. Nothing of it is ever run. */
export type Expression =
  | { kind: "and" | "or"; parts: Expression[] }
  | { kind: "not"; part: Expression }
  | { kind: "compare"; operator: Comparator; left: Expression; right: Expression }
  | { kind: "call"; name: string; args: Expression[] }
  | { kind: "reference"; name: string }
  /** The answer that a constraint is about. */
  | { kind: "self" }
  | { kind: "literal"; value: string | number | boolean };

/** Thrown for expressions that no condition of contract 6.9 can represent. Its message completes "it …". */
export class NotSayable extends Error {}
