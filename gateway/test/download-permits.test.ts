import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

/** The token of a download is the workspace whose file it is. */
function startDownloads(): Promise<Edge> {
  return startEdge({
    exports: {
      getDownload: async ({ downloadToken }) => ({
        fileName: "a.csv",
        mediaType: "text/csv",
        sizeBytes: 1_000_000_000n,
        etag: '"a"',
        workspaceId: downloadToken,
      }),
      async *streamDownload(_request, { signal }) {
        yield { piece: Buffer.alloc(100_000) };
        await once(signal, "abort");
      },
    },
  });
}

/** Begins a download from an address of this machine, and reads none of it. */
async function download({ baseUrl }: Edge, workspaceId: string, localAddress: string): Promise<IncomingMessage> {
  const request = get(`${baseUrl}/downloads/${workspaceId}`, { localAddress, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response.on("error", () => undefined);
}

test("downloads use permits of their workspace, from any number of IP addresses; other workspaces at the same address have their own", async () => {
  await using edge = await startDownloads();
  const first = await Promise.all(
    Array.from({ length: 8 }, (_, index) => download(edge, "workspace1", `127.0.0.${index + 2}`)),
  );
  expect(first.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
  const beyond = await download(edge, "workspace1", "127.0.0.20");
  const other = await download(edge, "workspace2", "127.0.0.2");
  expect([beyond.statusCode, other.statusCode]).toEqual([429, 200]);
  for (const response of [...first, beyond, other]) response.destroy();
});
