import { AppError } from "@canvass/errors";

/** The message a response always carries; its absence is a defect of the service. */
export function given<Message>(message: Message | undefined): Message {
  if (message === undefined) throw new AppError("internal_error");
  return message;
}
