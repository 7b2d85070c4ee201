const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const PRISMA_WRITE_CONFLICT = "P2034";
const UNIQUE_VIOLATION = "23505";

interface DatabaseError {
  code?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: { cause?: { originalCode?: unknown } } };
}

export const isConflict = (error: unknown): boolean =>
  hasCode(error, SERIALIZATION_FAILURE, DEADLOCK_DETECTED, PRISMA_WRITE_CONFLICT);

/**
 * A concurrent insert may cause it; a retry sees that row. Hot inserts rely on this, because ON CONFLICT would write an extra
 * WAL record per row.
 */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION);

function hasCode(error: unknown, ...codes: string[]): boolean {
  const found = (error ?? {}) as DatabaseError;
  const codesFound = [found.code, found.meta?.code, found.meta?.driverAdapterError?.cause?.originalCode];
  return codesFound.some((code) => codes.includes(code as string));
}

/** Retries `attempt` once if `isRace` accepts its error. `attempt` must open its own transaction. */
export async function retryOnConflict<T>(attempt: () => Promise<T>, isRace = isConflict): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isRace(error)) throw error;
    return attempt();
  }
}
