/**
 * Sends the request, and reads a JSON response whole, so that a cut within it counts as a failure of this attempt.
 * Fails after `attemptMs` without a response; an upload may take any time.
 */
export async function sendOnce(
  request: Request,
  send: (request: Request) => Promise<Response>,
  { signal, attemptMs }: { signal: AbortSignal; attemptMs: number },
): Promise<Response> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(new Error(`no response within ${attemptMs} ms`));
  const timer = isUpload(request) ? undefined : setTimeout(giveUp, attemptMs);
  try {
    const response = await send(new Request(request.clone(), { signal: AbortSignal.any([signal, attempt.signal]) }));
    return isJson(response) ? await buffered(response) : response;
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds that the API lets a body take to arrive (contract 1.6): callers may have a slow network. */
export async function sendingMs(request: Request): Promise<number> {
  if (isUpload(request) || request.method === "GET") return 0;
  return ((await request.clone().arrayBuffer()).byteLength / 8_192) * 1_000;
}

/** Files of any size. The API limits their time. */
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
