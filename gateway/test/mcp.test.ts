import { expect, test } from "vitest";
import { connectMcp } from "./mcp-client.ts";
import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

test.each(["modern", "legacy"] as const)("lists and calls tools (%s)", async (era) => {
  await using edge = await startEdge({
    survey: { listSurveys: async () => ({ surveys: [someSurvey()], hasMore: false, nextCursor: "" }) },
  });
  const { value: token } = edge.services.issueToken(["full_access", "events:write"]);
  const client = await connectMcp(edge.url, { token, era });
  const { tools } = await client.listTools();
  console.log(tools.map((t) => [t.name, JSON.stringify(t.inputSchema).length, JSON.stringify(t.outputSchema).length].join(" ")).join("\n"), JSON.stringify(tools).length);
  const result = await client.callTool({ name: "list_surveys", arguments: { q: "x" } });
  console.log(JSON.stringify(result, null, 1));
  expect(result.isError).toBeFalsy();
  console.log(surveyId, client.getNegotiatedProtocolVersion?.());
  await client.close();
});
