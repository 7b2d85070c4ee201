import type { ApiClient, ApiResponse } from "../api-client.ts";

/** Results of the requests that began during the restarts of one program. */
export interface Row {
  restarts: number;
  requests: number;
  /** Responses with status 500 and above, and requests without a response. */
  failed: number;
  longestMs: number;
  /** The longest time from the signal to the end of the process. */
  longestEndMs: number;
}

export interface Tally {
  rows: ReadonlyMap<string, Row>;
  /** Each failure, with the time at which it ended. */
  failures: readonly string[];
  /** Attributes requests from now on to this process. */
  restarting(name: string): void;
  /** Records how long the process took to end. */
  ended(ms: number): void;
  /** Returns a client that counts each of its requests. */
  counted(client: Pick<ApiClient, "call">): ApiClient;
}

export function startTally(): Tally {
  const rows = new Map<string, Row>();
  const failures: string[] = [];
  let row = emptyRow();
  let name = "";

  async function count(request: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const [counting, during, begun] = [row, name, performance.now()];
    const fail = (what: string) => {
      counting.failed += 1;
      const ms = Math.round(performance.now() - begun);
      failures.push(`${new Date().toISOString()} while ${during} restarts, after ${ms} ms: ${request}: ${what}`);
    };
    counting.requests += 1;
    try {
      const answer = await send();
      if (answer.status >= 500) fail(`${answer.status} ${answer.raw}`);
      return answer;
    } catch (error) {
      fail(String((error as { cause?: unknown }).cause ?? error));
      throw error;
    } finally {
      counting.longestMs = Math.max(counting.longestMs, performance.now() - begun);
    }
  }

  return {
    rows,
    failures,
    restarting(process) {
      name = process;
      row = rows.get(process) ?? emptyRow();
      rows.set(process, row);
      row.restarts += 1;
    },
    ended: (ms) => void (row.longestEndMs = Math.max(row.longestEndMs, ms)),
    counted({ call: send }) {
      const call: ApiClient["call"] = (method, path, options) =>
        count(`${method} ${path}`, () => send(method, path, options));
      const succeed: ApiClient["call"] = async (method, path, options) => {
        const answer = await call(method, path, options);
        if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.raw}`);
        return answer;
      };
      return {
        call,
        get: (path, headers) => succeed("GET", path, { ...(headers && { headers }) }),
        post: (path, body, headers) => succeed("POST", path, { body, ...(headers && { headers }) }),
        patch: (path, body, headers) => succeed("PATCH", path, { body, ...(headers && { headers }) }),
        delete: (path) => succeed("DELETE", path),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
}

const emptyRow = (): Row => ({ restarts: 0, requests: 0, failed: 0, longestMs: 0, longestEndMs: 0 });
