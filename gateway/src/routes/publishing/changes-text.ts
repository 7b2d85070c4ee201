/** Yields an object with `changes` as JSON in chunks, so that they are never in memory as a whole. */
export async function* changesText(
  head: object,
  chunks: AsyncIterator<{ changesJson: readonly string[] }>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"changes":[`;
  let separator = "";
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) {
    for (const json of chunk.value.changesJson) {
      yield separator + json;
      separator = ",";
    }
  }
  yield "]}";
}
