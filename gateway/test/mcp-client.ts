import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { Edge } from "./start-edge.ts";

export interface ConnectOptions {
  /** Default: a token of every scope. */
  token?: string;
  headers?: Record<string, string>;
  /** The revision of 2026, or those of 2025 with a handshake. */
  era?: "modern" | "legacy";
}

export interface McpClient extends AsyncDisposable {
  client: Client;
  /** Calls a tool and returns its structured content, or the error of the API. */
  call: (name: string, given?: Record<string, unknown>, options?: { signal?: AbortSignal }) => Promise<Called>;
}

// Tests read results of every shape.
type Any = any; // oxlint-disable-line typescript/no-explicit-any

export interface Called {
  content: CallToolResult["content"];
  result: Any;
  error: Any;
}

/** Connects the official client to a gateway. It checks results by the tools' output schemas. */
export async function connectMcp(edge: Edge, options: ConnectOptions = {}): Promise<McpClient> {
  const { era = "modern", headers, token = edge.services.issueToken(["full_access", "events:write"]).value } = options;
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", edge.url), { requestInit }));
  await client.listTools();
  return {
    client,
    async call(name, given = {}, more = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given }, more);
      const [text] = content;
      const told = text?.type === "text" ? JSON.parse(text.text) : undefined;
      return { content, result: structuredContent, error: isError ? told.error : undefined };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
