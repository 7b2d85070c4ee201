import { urlViolation } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import { installationUrl, sendableToken } from "../profiles/access-violations.ts";
import { keepProfile, readProfiles } from "../profiles/profiles.ts";
import { tokenKind } from "../profiles/token-kind.ts";

export const login = defineCommand({
  words: ["login"],
  summary: "Store the URL of an installation and a token, after testing them",
  example: "login --url https://surveys.example.com",
  options: {
    url: { placeholder: "url", help: "URL of the installation (default: asks)", violation: urlViolation },
    tokenStdin: { help: "read the token from standard input (default: asks, hidden)" },
  },
  async run({ url: given, tokenStdin }, { env, profile }) {
    // Throws for an unusable file of logins before anything is asked.
    await readProfiles(env);
    const [{ ask }, { readSecret }, { createCanvass }] = await Promise.all([
      import("../session/ask.ts"),
      import("../session/read-secret.ts"),
      import("@canvass/sdk"),
    ]);
    const instead = "--url and --token-stdin";
    const asked = given ?? (await ask("Address of the installation: ", { instead }));
    const url = installationUrl(asked, "The address");
    const typed = tokenStdin
      ? await readSecret("token", "login --token-stdin")
      : await ask("Token: ", { hidden: true, instead });
    const token = sendableToken(typed, "The token");
    const { data } = await createCanvass({ url, token }).api.listScopes();
    if (!data.data?.scopes) throw new OperationalError(`What answers at ${url} is not Canvass.`);
    await keepProfile(env, profile, { url, token });
    return { profile, url, tokenKind: tokenKind(token) };
  },
  show: ({ profile, url }) => `You are logged in to ${String(url)} (profile ${String(profile)}).`,
});
