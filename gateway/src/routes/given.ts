import { AppError } from "@canvass/errors";

/** Returns a message that a response always has; throws when it is missing. */
export function given<Message>(message: Message | undefined): Message {
  if (message === undefined) throw new AppError("internal_error");
  return message;
}
