import { splitList } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { nameOption, person, scopes, workspace } from "./options.ts";

export const tokenIssue = defineCommand({
  words: ["token", "issue"],
  summary: "Create a token for a member",
  example:
    "token issue --workspace 0k3j9x2m4n5p6q7r --person 0k3j9x2m8s9t0u1v --name CI --scopes surveys:read,responses:read",
  options: {
    workspace,
    person,
    name: nameOption("token"),
    scopes,
    test: { help: "answers submitted with it are marked as test" },
  },
  async run({ workspace: workspaceId, person: personId, name, scopes, test }, { connectOperator }) {
    const wanted = scopes === undefined ? {} : { scopes: { scopes: splitList(scopes) } };
    const issued = await (await connectOperator()).issueToken({ workspaceId, personId, name, live: !test, ...wanted });
    return { workspaceId, personId, tokenId: issued.token?.tokenId, token: issued.tokenValue };
  },
});
