import { CanvassError } from "../errors/canvass-error.ts";
import { asFailure } from "../errors/read-failure.ts";
import { readChunks } from "./read-chunks.ts";
import { readLines } from "./read-lines.ts";

/** Yields the rows of an NDJSON response. Throws the error that its last line may be (contract 1.9). */
export async function* readRows<Row>(response: Response, signal?: AbortSignal): AsyncGenerator<Row, void, undefined> {
  for await (const line of readLines(readChunks(response, signal))) {
    const value: unknown = JSON.parse(line);
    const failure = asFailure(value);
    if (failure) throw new CanvassError(failure.error, { status: response.status, requestId: failure.meta.requestId });
    yield value as Row;
  }
}
