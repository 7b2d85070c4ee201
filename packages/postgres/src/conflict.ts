const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const PRISMA_WRITE_CONFLICT = "P2034";

interface DatabaseError {
  code?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: { cause?: { originalCode?: unknown } } };
}

/** True when the transaction lost against another one (serialization failure, deadlock) and may simply run again; pg's and Prisma's errors alike. */
export function isConflict(error: unknown): boolean {
  const found = (error ?? {}) as DatabaseError;
  const codes = [found.code, found.meta?.code, found.meta?.driverAdapterError?.cause?.originalCode];
  return codes.some(
    (code) => code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || code === PRISMA_WRITE_CONFLICT,
  );
}

/** Runs `attempt`, and once more when it failed with a conflict. The attempt must open its own transaction. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isConflict(error)) throw error;
    return attempt();
  }
}
