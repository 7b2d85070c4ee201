export interface TokenLife {
  revokedAt: Date | null;
  expiresAt: Date | null;
}

/** A token is expired from the instant `expiresAt`. */
export function tokenState({ revokedAt, expiresAt }: TokenLife, now: Date): "active" | "revoked" | "expired" {
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= now ? "expired" : "active";
}
