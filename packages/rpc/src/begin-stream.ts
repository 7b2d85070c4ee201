/** Waits for a stream's first message; the returned stream begins with it. */
export async function beginStream<T>(messages: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = messages[Symbol.asyncIterator]();
  const begun = [await iterator.next()];
  // Not a generator: its `return` before its first `next` would not end the underlying stream.
  const rest: AsyncIterator<T> = {
    next: async () => begun.pop() ?? iterator.next(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
