import { defineCommand } from "../define-command.ts";
import { tokenKind } from "../profiles/token-kind.ts";

export const whoami = defineCommand({
  words: ["whoami"],
  summary: "Show the installation and the kind of token in use, after testing them",
  example: "whoami",
  options: {},
  async run(_, { access, canvass }) {
    const { url, token, from } = await access();
    await (await canvass()).api.listScopes();
    return { url, tokenKind: tokenKind(token), from };
  },
});
