import { sleep } from "./pause.ts";

/** Longest wait for one response; a request with files has none. */
const attemptMs = 30_000;

/** Sends the request and reads a JSON response whole, so that a cut within it counts as a failure of this attempt. */
export async function sendOnce(
  request: Request,
  send: (request: Request) => Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  const attempt = new AbortController();
  const ended = new AbortController();
  void sleep(isUpload(request) ? 2 ** 31 - 1 : attemptMs, ended.signal).then(
    () => attempt.abort(new Error("no response within 30 seconds")),
    () => undefined,
  );
  try {
    const response = await send(new Request(request.clone(), { signal: AbortSignal.any([signal, attempt.signal]) }));
    return isJson(response) ? await buffered(response) : response;
  } finally {
    ended.abort();
  }
}

export const isUpload = ({ headers }: Request): boolean =>
  headers.get("content-type")?.startsWith("multipart/") ?? false;

const isJson = ({ headers, body }: Response): boolean =>
  body !== null &&
  (headers.get("content-type")?.startsWith("application/json") ?? false) &&
  !headers.has("content-disposition");

async function buffered(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
