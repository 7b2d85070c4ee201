export interface TokenLife {
  revokedAt: Date | null;
  expiresAt: Date | null;
}

/** What a token is good for at that moment. An expiry counts from its own instant on. */
export function tokenState({ revokedAt, expiresAt }: TokenLife, now: Date): "active" | "revoked" | "expired" {
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= now ? "expired" : "active";
}
