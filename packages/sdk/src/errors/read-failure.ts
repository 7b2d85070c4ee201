import type { ApiError } from "../../gen/api/types.gen.ts";

/** The error envelope of a response; undefined for what the API did not answer itself. */
export async function readFailure(response: Response): Promise<ApiError | undefined> {
  return asFailure(await response.json().catch(() => undefined));
}

/** The value if it is an error envelope (contract 1.3). */
export function asFailure(value: unknown): ApiError | undefined {
  const { success, error } = Object(value) as Partial<ApiError>;
  return success === false && typeof error?.code === "string" ? (value as ApiError) : undefined;
}
