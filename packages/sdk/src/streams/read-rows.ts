import { failureError, unexpectedResponse } from "../errors/to-canvass-error.ts";
import { asFailure } from "../errors/read-failure.ts";
import { readChunks } from "./read-chunks.ts";
import { readLines } from "./read-lines.ts";

/** Yields the rows of an NDJSON response. Throws the error that its last line may be (contract 1.9). */
export async function* readRows<Row>(response: Response, signal?: AbortSignal): AsyncGenerator<Row, void, undefined> {
  for await (const line of readLines(readChunks(response, signal))) {
    const value = parse(line, response);
    const failure = asFailure(value);
    if (failure) throw failureError(failure, response);
    yield value as Row;
  }
}

function parse(line: string, response: Response): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw unexpectedResponse(response, error);
  }
}
