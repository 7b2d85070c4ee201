import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import { keepProfile, readProfiles } from "../profiles/profiles.ts";

export const logout = defineCommand({
  words: ["logout"],
  summary: "Remove a login; its token stays valid until it is revoked",
  example: "logout --profile staging",
  options: {},
  async run(_, { env, profile }) {
    const { [profile]: kept } = await readProfiles(env);
    if (!kept) throw new OperationalError(`Nobody is logged in as profile ${profile}.`);
    await keepProfile(env, profile, undefined);
    return { profile, url: kept.url };
  },
  show: ({ profile, url }) => `The login to ${String(url)} is forgotten (profile ${String(profile)}).`,
});
