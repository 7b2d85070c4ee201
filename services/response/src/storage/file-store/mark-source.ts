export interface MarkedSource {
  pieces: AsyncIterable<Uint8Array>;
  /** Throws what the pieces threw, if they did. */
  rethrow(): void;
}

/** Tells errors of the pieces from those of the store that takes them, which may wrap or replace them. */
export function markSource(pieces: AsyncIterable<Uint8Array>): MarkedSource {
  let thrown: { error: unknown } | undefined;
  async function* marked(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      thrown = { error };
      throw error;
    }
  }
  return {
    pieces: marked(),
    rethrow() {
      if (thrown) throw thrown.error;
    },
  };
}
