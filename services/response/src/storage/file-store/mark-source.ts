export interface MarkedSource {
  pieces: AsyncIterable<Uint8Array>;
  rethrow(): void;
}

/** Distinguishes errors of the chunks from those of the store, which may wrap or replace them. */
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
