import { defineCommand } from "../define-command.ts";
import { tokenKind } from "../profiles/token-kind.ts";

export const whoami = defineCommand({
  words: ["whoami"],
  summary: "Tell which installation and kind of token are used, after trying them",
  example: "whoami",
  options: {},
  async run(_, { access, canvass }) {
    const { url, token, from } = await access();
    await (await canvass()).api.listScopes();
    return { url, tokenKind: tokenKind(token), from };
  },
});
