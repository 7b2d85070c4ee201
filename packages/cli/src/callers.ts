import type { Audience } from "@canvass/command-line";
import { COMMANDS, GROUPS } from "./commands/index.ts";
import type { Session } from "./define-command.ts";

export const callers: Audience<Session> = {
  heading: "For callers",
  commands: COMMANDS,
  groups: GROUPS,
  options: {
    profile: {
      placeholder: "name",
      help: "the login to use, also CANVASS_PROFILE (default: default)",
      violation: (name) =>
        /^[\w.-]{1,64}$/.test(name) ? undefined : "has other characters than letters, digits, . _ -",
    },
  },
  async run(command, { profile, ...values }, around) {
    // Imported here, because `--help` works before code is generated.
    const [{ openSession }, { explainError }] = await Promise.all([
      import("./session/open-session.ts"),
      import("./session/explain-error.ts"),
    ]);
    const name = (profile as string | undefined) ?? (around.env["CANVASS_PROFILE"] || "default");
    return command
      .run(values as never, openSession(around, name))
      .catch((error: unknown) => Promise.reject(explainError(error) as Error))
      .finally(() => around.progress(undefined));
  },
};
