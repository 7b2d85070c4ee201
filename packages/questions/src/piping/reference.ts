/** The target of a placeholder (contract 6.19). */
export type Reference =
  | { kind: "element"; name: string }
  | { kind: "field"; name: string }
  | { kind: "firstName" }
  | { kind: "loop" };

/** Undefined for a name of none of these forms. */
export function referenceOf(name: string): Reference | undefined {
  const [head = "", tail, ...more] = name.split(".");
  if (tail === undefined) return name === "loop" ? { kind: "loop" } : { kind: "element", name };
  if (more.length > 0) return undefined;
  if (head === "field") return { kind: "field", name: tail };
  return name === "contact.firstName" ? { kind: "firstName" } : undefined;
}
