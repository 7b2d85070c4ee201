const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const PRISMA_WRITE_CONFLICT = "P2034";

interface DatabaseError {
  code?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: { cause?: { originalCode?: unknown } } };
}

/** A serialization failure or deadlock, from pg or Prisma. */
export function isConflict(error: unknown): boolean {
  const found = (error ?? {}) as DatabaseError;
  const codes = [found.code, found.meta?.code, found.meta?.driverAdapterError?.cause?.originalCode];
  return codes.some(
    (code) => code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || code === PRISMA_WRITE_CONFLICT,
  );
}

/** Runs `attempt` again after a conflict; it must open its own transaction. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isConflict(error)) throw error;
    return attempt();
  }
}
