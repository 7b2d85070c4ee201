import { AppError } from "@canvass/errors";

/** Returns a message that a response always has. Throws `internal_error` if it is missing. */
export function requireMessage<Message>(message: Message | undefined): Message {
  if (message === undefined) throw new AppError("internal_error");
  return message;
}
