export type TokenKind = "live" | "test" | "unknown";

/** What a token says of itself (contract 4.2). */
export function tokenKind(token: string): TokenKind {
  if (token.startsWith("cvs_live_")) return "live";
  return token.startsWith("cvs_test_") ? "test" : "unknown";
}
