export interface CanvassOptions {
  /** Address of the installation, such as `https://surveys.example.com`; `/api/v1` may follow. */
  url: string;
  /** An API token. Operations for respondents of links need none. */
  token?: string;
  /** Names one of the workspaces that the token reaches. Default: the token's own. */
  workspaceId?: string;
  /** Longest time of a call with all retries, in milliseconds; a body has 8 KiB a second on top. Default: 60,000. */
  deadlineMs?: number;
  /** How often a call is repeated at most. Default: 5. */
  retries?: number;
  /** Sends one request. Default: the runtime's `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface RequestOptions {
  /** Ends the call; its promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Longest time of this call with all its retries, in milliseconds; a body has 8 KiB a second on top. */
  deadlineMs?: number;
}

/** Of writes that take an idempotency key. */
export interface WriteOptions extends RequestOptions {
  /** Default: a new random key. Give your own to repeat a write safely after a restart of your program. */
  idempotencyKey?: string;
}
