import { urlViolation, type Audience } from "@canvass/command-line";
import { COMMANDS, GROUPS } from "./commands/index.ts";
import type { Session } from "./define-command.ts";
import { SERVICE_FLAGS, type ServiceName } from "./token-service/find-service.ts";
import { openSession } from "./token-service/open-session.ts";

const SERVICE_NAMES = Object.keys(SERVICE_FLAGS) as ServiceName[];

export const operators: Audience<Session> = {
  heading: "For operators",
  commands: COMMANDS,
  groups: GROUPS,
  options: {
    tokenService: {
      placeholder: "url",
      help: "a token service elsewhere, with CANVASS_OPERATOR_KEY (CANVASS_TLS_*_FILE for https)",
      violation: urlViolation,
    },
  },
  async run(command, { tokenService, ...values }, { env, progress }) {
    const named = values as Record<string, string | undefined>;
    const elsewhere = SERVICE_NAMES.map((service) => [service, named[`${service}Service`]]);
    const given = { ...Object.fromEntries(elsewhere), token: tokenService } as Record<string, string | undefined>;
    await using session = openSession(given, env, progress);
    return await session.explaining(() => command.run(values as never, session));
  },
};
