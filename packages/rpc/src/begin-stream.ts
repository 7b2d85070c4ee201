/** Waits for a stream's first message; the stream that is given goes on with it. */
export async function beginStream<T>(messages: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = messages[Symbol.asyncIterator]();
  const begun = [await iterator.next()];
  // No generator: one that has not begun ends without ending the stream behind it.
  const rest: AsyncIterator<T> = {
    next: async () => begun.pop() ?? iterator.next(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
