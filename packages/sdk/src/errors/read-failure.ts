import type { ApiError } from "../../gen/api/types.gen.ts";

/** Returns the error envelope of a response; undefined if the response is not from the API itself. */
export async function readFailure(response: Response): Promise<ApiError | undefined> {
  return asFailure(await response.json().catch(() => undefined));
}

/** The value if it is an error envelope (contract 1.3). */
export function asFailure(value: unknown): ApiError | undefined {
  const { success, error } = Object(value) as Partial<ApiError>;
  return success === false && typeof error?.code === "string" ? (value as ApiError) : undefined;
}
