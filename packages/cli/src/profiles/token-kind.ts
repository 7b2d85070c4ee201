export type TokenKind = "live" | "test" | "unknown";

/** The kind of a token, from its prefix (contract 4.2). */
export function tokenKind(token: string): TokenKind {
  if (token.startsWith("cvs_live_")) return "live";
  return token.startsWith("cvs_test_") ? "test" : "unknown";
}
