export interface MarkedSource {
  chunks: AsyncIterable<Uint8Array>;
  /** Throws the error that the chunks threw, if they did. */
  rethrow(): void;
}

/** Distinguishes errors of the chunks from those of the store, which may wrap or replace them. */
export function markSource(chunks: AsyncIterable<Uint8Array>): MarkedSource {
  let thrown: { error: unknown } | undefined;
  async function* marked(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      thrown = { error };
      throw error;
    }
  }
  return {
    chunks: marked(),
    rethrow() {
      if (thrown) throw thrown.error;
    },
  };
}
