import { listenForStop, UsageError } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";

export const mcp = defineCommand({
  words: ["mcp"],
  summary: "Serve the tools of the installation to a language model (MCP over stdio)",
  example: "mcp --profile staging",
  options: {},
  async run(_, { access, json, note }) {
    if (json) throw new UsageError("Standard output belongs to the protocol; leave out --json.");
    const [{ relayMessages }, { httpTransport }, { StdioServerTransport }, found] = await Promise.all([
      import("../mcp/relay-messages.ts"),
      import("../mcp/http-transport.ts"),
      import("@modelcontextprotocol/server/stdio"),
      access(),
    ]);
    using stop = listenForStop();
    await relayMessages(new StdioServerTransport(), httpTransport(found), { stop: stop.signal, note });
    return {};
  },
  show: () => "",
});
