import type { WorkspacePart } from "@canvass/proto/transfer";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { randomBytes } from "node:crypto";
import type { Session } from "../define-command.ts";
import { MOVING_SERVICES } from "./moving-services.ts";
import { writeSealedFile, type Records } from "./sealed-file.ts";

export type Exported = {
  workspaceId: string;
  transferId: string;
  rows: Record<string, number>;
  files: number;
  missingFiles: string[];
  eventsUnderWay: number;
};

/** The table of events that a consumer has not confirmed. */
const outbox = "outbox_events";

export async function exportWorkspace(
  { connectTransfers, progress }: Pick<Session, "connectTransfers" | "progress">,
  workspaceId: string,
  { path, recipient }: { path: string; recipient: string },
): Promise<Exported> {
  const transferKey = randomBytes(32);
  const transferId = randomBytes(16).toString("hex");
  const summary: Exported = { workspaceId, transferId, rows: {}, files: 0, missingFiles: [], eventsUnderWay: 0 };
  const streams = [];
  for (const service of MOVING_SERVICES) {
    const client = await connectTransfers(service);
    const parts = client.exportWorkspace({ workspaceId, transferKey })[Symbol.asyncIterator]();
    streams.push({ service, parts });
  }
  // Concurrently, so that all services take their snapshots at nearly the same time.
  const begun = await Promise.all(streams.map(async (stream) => ({ ...stream, first: await stream.parts.next() })));
  const records = async function* (): Records {
    const transfer = { workspaceId, transferId, transferKey };
    const exportedAt = timestampFromDate(new Date());
    const header = { format: 1, transfer, exportedAt, services: [...MOVING_SERVICES] };
    yield { record: { case: "header", value: header } };
    for (const { service, first, parts } of begun) {
      yield { record: { case: "service", value: service } };
      for (let next = first; !next.done; next = await parts.next()) {
        const { part } = next.value;
        if (!part) continue;
        countPart(summary, service, part);
        progress(`${service}: ${summary.rows[service] ?? 0} rows, ${summary.files} files`);
        yield { record: { case: "part", value: part } };
      }
    }
  };
  await writeSealedFile(path, recipient, records());
  progress(undefined);
  return summary;
}

function countPart(summary: Exported, service: string, { part }: WorkspacePart): void {
  if (part.case === "rows") {
    const { rows, shape } = part.value;
    summary.rows[service] = (summary.rows[service] ?? 0) + rows.length;
    if (shape?.table === outbox) summary.eventsUnderWay += rows.length;
  } else if (part.case === "end") {
    summary.files += Number(part.value.files);
    summary.missingFiles.push(...part.value.missingFiles);
  }
}
