import { connectionFailed } from "../errors/to-canvass-error.ts";

/** Yields the lines of a body. Throws if it ends within a line. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") throw connectionFailed(new Error("the last line is cut"));
}
