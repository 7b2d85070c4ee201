import { AppError } from "@canvass/errors";

/** The error of a refused call. Throws when the call succeeded or failed without a catalogue code. */
export async function refusalOf(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
}

/** Code and details of a refused call's error. */
export async function refusal(call: Promise<unknown>): Promise<Pick<AppError, "code" | "details">> {
  const { code, details } = await refusalOf(call);
  return { code, details };
}

/** The refusal's code, or "fine". */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "fine",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}
