import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface ConnectOptions {
  token: string;
  headers?: Record<string, string>;
  /** The revision of 2026, or those of 2025 with a handshake. */
  era?: "modern" | "legacy";
}

/** Connects the official client to a gateway. */
export async function connectMcp(url: string, { token, headers, era = "modern" }: ConnectOptions): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "modern" ? "auto" : "legacy" } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  return client;
}
