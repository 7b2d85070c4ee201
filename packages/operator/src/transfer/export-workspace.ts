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
  { transfers, progress }: Pick<Session, "transfers" | "progress">,
  workspaceId: string,
  { path, recipient }: { path: string; recipient: string },
): Promise<Exported> {
  const transferKey = randomBytes(32);
  const transferId = randomBytes(16).toString("hex");
  const told: Exported = { workspaceId, transferId, rows: {}, files: 0, missingFiles: [], eventsUnderWay: 0 };
  const streams = [];
  for (const service of MOVING_SERVICES) {
    const parts = (await transfers(service)).exportWorkspace({ workspaceId, transferKey })[Symbol.asyncIterator]();
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
        tell(told, service, part);
        progress(`${service}: ${told.rows[service] ?? 0} rows, ${told.files} files`);
        yield { record: { case: "part", value: part } };
      }
    }
  };
  await writeSealedFile(path, recipient, records());
  progress(undefined);
  return told;
}

function tell(told: Exported, service: string, { part }: WorkspacePart): void {
  if (part.case === "rows") {
    const { rows, shape } = part.value;
    told.rows[service] = (told.rows[service] ?? 0) + rows.length;
    if (shape?.table === outbox) told.eventsUnderWay += rows.length;
  } else if (part.case === "end") {
    told.files += Number(part.value.files);
    told.missingFiles.push(...part.value.missingFiles);
  }
}
