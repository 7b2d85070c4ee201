import { OperationalError, type Environment } from "@canvass/provisioning";
import { installationUrl, sendableToken } from "./access-violations.ts";
import { readProfiles, type Profile } from "./profiles.ts";

/** An installation and a token, and where they are from. */
export type Access = Profile & { from: string };

/** CANVASS_URL and CANVASS_TOKEN win over the profile. A profile's token goes to the profile's own address only. */
export async function findAccess(env: Environment, profile: string): Promise<Access> {
  const url = env["CANVASS_URL"] && installationUrl(env["CANVASS_URL"], "CANVASS_URL");
  const token = env["CANVASS_TOKEN"] && sendableToken(env["CANVASS_TOKEN"], "CANVASS_TOKEN");
  if (url && token) return { url, token, from: "CANVASS_URL and CANVASS_TOKEN" };
  const { [profile]: kept } = await readProfiles(env);
  const named = profile === "default" ? "" : ` --profile ${profile}`;
  if (url && kept?.url !== url) {
    throw new OperationalError(`CANVASS_URL is set without CANVASS_TOKEN; set it too, or run: canvass login${named}`);
  }
  if (!kept) throw new OperationalError(`Nobody is logged in here; run: canvass login${named}`);
  if (token) return { url: kept.url, token, from: `CANVASS_TOKEN, and the address of profile ${profile}` };
  return { ...kept, from: `profile ${profile}` };
}
