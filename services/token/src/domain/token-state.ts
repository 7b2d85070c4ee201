export interface TokenLife {
  revokedAt: Date | null;
  expiresAt: Date | null;
}

export function tokenState({ revokedAt, expiresAt }: TokenLife, now: Date): "active" | "revoked" | "expired" {
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= now ? "expired" : "active";
}
