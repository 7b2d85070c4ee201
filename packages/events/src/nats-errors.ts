import { NatsError } from "nats";

/** The stream or consumer asked about does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
