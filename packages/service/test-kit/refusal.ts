import { AppError } from "@canvass/errors";

/** The error with which a call was refused. Throws when it was not, or failed without a code of the catalogue. */
export async function refusalOf(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
}

/** Code and details of that error, to compare as a whole. */
export async function refusal(call: Promise<unknown>): Promise<Pick<AppError, "code" | "details">> {
  const { code, details } = await refusalOf(call);
  return { code, details };
}

/** The code with which a call was refused, or "fine". */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "fine",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}
